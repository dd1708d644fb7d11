"""The person's name, and passwords."""

import os
import _host


class GetPassWarning(UserWarning):
    pass


def getpass(prompt="Password: ", stream=None):
    """Prompt for a password, with echo turned off."""
    return _host.read_hidden(prompt)


def getuser():
    """Get the username from the environment."""
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        user = os.environ.get(name)
        if user:
            return user
    with open("/etc/passwd") as accounts:
        for line in accounts:
            fields = line.split(":")
            if len(fields) > 2 and fields[2] == str(os.getuid()):
                return fields[0]
    raise KeyError("getpwuid(): uid not found: %d" % os.getuid())
