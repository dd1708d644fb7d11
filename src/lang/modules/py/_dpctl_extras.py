"""Functions and classes of dpctl that are compositions of its devices, and the refusal of what needs a SYCL compiler."""


def bind(dpctl):
    """What `dpctl` lacks, by name."""
    unavailable = dpctl.SyclDeviceCreationError

    def first_of(kind, problem):
        found = dpctl.get_devices(device_type=kind)
        if not found:
            raise unavailable(f"{problem} %devices lists what is there, and why other devices are not.")
        return found[0]

    def select_default_device():
        """The device that is used when none is named."""
        return dpctl.SyclDevice()

    def select_cpu_device():
        """The first processor."""
        return first_of("cpu", "Device unavailable.")

    def select_gpu_device():
        """The first GPU."""
        return first_of("gpu", "Device unavailable.")

    def select_accelerator_device():
        """The first accelerator."""
        return first_of("accelerator", "Accelerator device is unavailable.")

    def select_device_with_aspects(required_aspects, excluded_aspects=None):
        """The device of the highest score that has every required aspect and no excluded one."""

        def words(aspects):
            return [aspects] if isinstance(aspects, str) else list(aspects or [])

        required, excluded = words(required_aspects), words(excluded_aspects)
        for aspect in required + excluded:
            if not hasattr(dpctl.SyclDevice, f"has_aspect_{aspect}"):
                raise AttributeError(f"The {aspect} aspect is not supported in dpctl")
        fitting = [
            device
            for device in dpctl.get_devices()
            if all(getattr(device, f"has_aspect_{aspect}") for aspect in required)
            and not any(getattr(device, f"has_aspect_{aspect}") for aspect in excluded)
        ]
        if not fitting:
            raise unavailable(
                f"Requested device is unavailable: required_aspects={required}, excluded_aspects={excluded}"
            )
        return max(fitting, key=lambda device: device.default_selector_score)

    def has_cpu_devices():
        """Whether there is a processor."""
        return dpctl.get_num_devices(device_type="cpu") > 0

    def has_gpu_devices():
        """Whether there is a GPU."""
        return dpctl.get_num_devices(device_type="gpu") > 0

    def has_accelerator_devices():
        """Whether there is an accelerator."""
        return dpctl.get_num_devices(device_type="accelerator") > 0

    def get_composite_devices():
        """Devices made of several: none here."""
        return []

    class SyclPlatform:
        """The devices of one backend."""

        def __init__(self, arg=None, /):
            device = dpctl.SyclDevice(arg) if isinstance(arg, str) else dpctl.SyclDevice()
            self._backend = device.backend
            self._first = device

        name = property(lambda self: self._backend.name, doc="The backend's name.")
        vendor = property(lambda self: self._first.vendor, doc="Who made its first device.")
        version = property(lambda self: self._first.driver_version, doc="The driver of its first device.")
        backend = property(lambda self: self._backend, doc="The backend.")
        default_context = property(lambda self: dpctl.SyclContext(self._first), doc="A context of its first device.")

        def get_devices(self, device_type="all"):
            """Its devices of a type."""
            return dpctl.get_devices(backend=self._backend, device_type=device_type)

        def get_composite_devices(self):
            """Its devices made of several: none here."""
            return []

        def print_platform_info(self, verbosity=0):
            """Prints what it is and, from verbosity 1 on, its devices."""
            print(f"Platform {self.name}, {self.vendor}, {self.version}")
            if verbosity > 0:
                for device in self.get_devices():
                    print(f"    {device.filter_string}: {device.name}")

        def __eq__(self, other):
            return isinstance(other, SyclPlatform) and self._backend == other._backend

        def __hash__(self):
            return hash(self._backend)

        def __repr__(self):
            return f"<dpctl.SyclPlatform [{self.name}, {self.vendor},  {self.version}] at {hex(id(self))}>"

    def get_platforms():
        """One platform for each backend that has a device."""
        found = []
        for device in dpctl.get_devices():
            platform = SyclPlatform(device.filter_string)
            if platform not in found:
                found.append(platform)
        return found

    def lsplatform(verbosity=0):
        """Prints every platform; more of each with verbosity 1 and 2."""
        if verbosity not in (0, 1, 2):
            raise ValueError("Verbosity level should be 0, 1, or 2.")
        for platform in get_platforms():
            platform.print_platform_info(verbosity)

    def get_include():
        """Refused: there are no C headers."""
        raise NotImplementedError("there are no C headers here: nothing is compiled against this kernel; pip install dpctl has them")

    class _SequentialOrderManager:
        """Events of one queue that its next work has to wait for. Arrays keep that order here by themselves."""

        def __init__(self, queue):
            self._queue, self._host, self._submitted = queue, [], []

        def _prune(self):
            over = dpctl.event_status_type.complete
            self._host = [event for event in self._host if event.execution_status != over]
            self._submitted = [event for event in self._submitted if event.execution_status != over]

        def add_event_pair(self, host_task_ev, comp_ev):
            """Adds the events of a task on the host and of the computation it belongs to."""
            for event in (host_task_ev, comp_ev):
                if not isinstance(event, dpctl.SyclEvent):
                    raise TypeError(f"Expected dpctl.SyclEvent, got {type(event)}")
            self._host.append(host_task_ev)
            self._submitted.append(comp_ev)
            self._prune()

        @property
        def num_host_task_events(self):
            """How many tasks on the host have not ended."""
            self._prune()
            return len(self._host)

        @property
        def num_submitted_events(self):
            """How many computations have not ended."""
            self._prune()
            return len(self._submitted)

        @property
        def host_task_events(self):
            """The events of tasks on the host that have not ended."""
            self._prune()
            return list(self._host)

        @property
        def submitted_events(self):
            """The events of computations that have not ended."""
            self._prune()
            return list(self._submitted)

        def wait(self):
            """Waits for all of them."""
            dpctl.SyclEvent.wait_for(self._host + self._submitted)
            self._prune()

        def __copy__(self):
            copied = _SequentialOrderManager(self._queue)
            copied._host, copied._submitted = list(self._host), list(self._submitted)
            return copied

    class SyclQueueToOrderManagerMap:
        """The order manager of each queue, made at first use."""

        def __init__(self):
            self._managers = {}

        def __getitem__(self, q):
            if not isinstance(q, dpctl.SyclQueue):
                raise TypeError(f"Expected `dpctl.SyclQueue`, got {type(q)}")
            if q not in self._managers:
                self._managers[q] = _SequentialOrderManager(q)
            return self._managers[q]

        def clear(self):
            """Forgets the managers of all queues."""
            self._managers.clear()

    dpctl.utils.SequentialOrderManager = SyclQueueToOrderManagerMap()

    compiler = (
        "needs a SYCL compiler or runtime, which this kernel does not have: write the computation as an array expression, "
        "which becomes one device program by itself"
    )

    def refused(name):
        class Refused:
            __doc__ = f"`{name}` {compiler}."

            def __init__(self, *args, **kwargs):
                raise NotImplementedError(f"{name} {compiler}")

        Refused.__name__ = Refused.__qualname__ = name
        return Refused

    class SyclKernelSubmitError(Exception):
        """A program could not be submitted."""

    class SyclKernelInvalidRangeError(Exception):
        """A program was given a range that is none."""

    class SyclProgramCompilationError(Exception):
        """A program could not be built."""

    def create_program_from_source(q, src, copts=""):
        """Refused: device programs are made from array expressions."""
        raise NotImplementedError(f"create_program_from_source {compiler}")

    def create_program_from_spirv(q, IL, copts=""):
        """Refused: device programs are made from array expressions."""
        raise NotImplementedError(f"create_program_from_spirv {compiler}")

    made = [
        select_default_device, select_cpu_device, select_gpu_device, select_accelerator_device, select_device_with_aspects,
        has_cpu_devices, has_gpu_devices, has_accelerator_devices, get_composite_devices, get_platforms, lsplatform,
        get_include, SyclPlatform, SyclKernelSubmitError, SyclKernelInvalidRangeError,
    ]
    made += [refused(name) for name in ("LocalAccessor", "WorkGroupMemory", "RawKernelArg")]
    program = [create_program_from_source, create_program_from_spirv, SyclProgramCompilationError]
    program += [refused(name) for name in ("SyclKernel", "SyclProgram")]
    return {one.__name__: one for one in made}, {one.__name__: one for one in program}
