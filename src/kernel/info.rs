//! The kernel's description of itself, the same on shell and control.

use super::message::PROTOCOL_VERSION;
use serde_json::{Value, json};

/// The content of `kernel_info_reply`.
///
/// The language is not called Python: tools inject Python helper code into kernels of that name.
pub fn kernel_info() -> Value {
    let version = env!("CARGO_PKG_VERSION");
    json!({
        "status": "ok",
        "protocol_version": PROTOCOL_VERSION,
        "implementation": "cellhold",
        "implementation_version": version,
        "language_info": {
            "name": "cellhold",
            "version": version,
            "mimetype": "text/x-python",
            "file_extension": ".py",
            "pygments_lexer": "ipython3",
            "codemirror_mode": {"name": "ipython", "version": 3},
            "nbconvert_exporter": "python",
        },
        "banner": format!("Cellhold {version}: arrays on Intel devices, and what holds their memory. %help lists the magics."),
        "debugger": false,
        "help_links": [
            {"text": "dpnp", "url": "https://intelpython.github.io/dpnp/"},
            {"text": "dpctl", "url": "https://intelpython.github.io/dpctl/latest/"},
            {"text": "NumPy", "url": "https://numpy.org/doc/stable/"},
        ],
        "supported_features": [],
    })
}
