"""What notebooks use of IPython: the session as get_ipython() gives it, and IPython.display."""

import _host

from IPython.display import display

__all__ = ["display", "get_ipython"]


def get_ipython():
    """The interactive session; None where a file is run."""
    get = _host.find_name("get_ipython")
    return None if get is None else get()
