//! Weak references in the account of memory: they hold nothing, and what they know is gone when its last holder is.

use super::{live, with_session};

#[test]
fn a_weak_reference_is_no_holder() {
    with_session(|bench| {
        bench.ok("import dpnp, weakref\na = dpnp.ones(1000)\nknown = weakref.ref(a)\nstand_in = weakref.proxy(a)");
        bench.ok("cache = weakref.WeakValueDictionary(a=a)\nlog = []\nend = weakref.finalize(a, log.append, 'gone')");
        assert_eq!(bench.paths(), ["a"]);
        bench.ok("del a");
        assert_eq!(live(), 0);
        bench.ok("assert known() is None and len(cache) == 0 and log == ['gone'], (known(), log)");
    });
}

#[test]
fn a_cycle_known_weakly_goes_with_the_collector() {
    with_session(|bench| {
        bench.ok("import dpnp, gc, weakref\nclass Node:\n    pass\nn = Node()\nn.me, n.data = n, dpnp.ones(500)");
        bench.ok("known = weakref.ref(n)\ndel n");
        assert!(live() > 0, "the cycle still holds");
        bench.ok("gc.collect()\nassert known() is None");
        assert_eq!(live(), 0);
    });
}
