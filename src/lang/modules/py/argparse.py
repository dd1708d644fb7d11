"""Command-line arguments: parsers with options, positional arguments, groups and subcommands, and the help they print."""

import os
import re
import shutil
import sys
import textwrap

SUPPRESS = "==SUPPRESS=="
OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE, REMAINDER, PARSER = "?", "*", "+", "...", "A..."


class ArgumentTypeError(Exception):
    """What a `type=` function raises to give the message itself."""


class ArgumentError(Exception):
    """What is wrong with an argument."""

    def __init__(self, argument, message):
        self.argument_name = _name_of(argument)
        self.message = message

    def __str__(self):
        if self.argument_name is None:
            return f"{self.message}"
        return f"argument {self.argument_name}: {self.message}"


def _name_of(argument):
    if argument is None:
        return None
    if argument.option_strings:
        return "/".join(argument.option_strings)
    for name in (argument.metavar, argument.dest):
        if name not in (None, SUPPRESS):
            return name
    return "{" + ",".join(argument.choices) + "}" if argument.choices else None


class Namespace:
    """The values of arguments as attributes."""

    def __init__(self, **kwargs):
        for name in kwargs:
            setattr(self, name, kwargs[name])

    def __eq__(self, other):
        if not isinstance(other, Namespace):
            return NotImplemented
        return vars(self) == vars(other)

    def __contains__(self, key):
        return key in self.__dict__

    def __repr__(self):
        plain = [f"{name}={value!r}" for name, value in vars(self).items() if name.isidentifier()]
        odd = {name: value for name, value in vars(self).items() if not name.isidentifier()}
        return f"{type(self).__name__}({', '.join(plain + ([f'**{odd!r}'] if odd else []))})"


# How help looks.


class HelpFormatter:
    """Help with descriptions wrapped to the terminal's width."""

    keeps_description = keeps_help = shows_defaults = names_types = False

    def __init__(self, prog, indent_increment=2, max_help_position=24, width=None):
        self.width = shutil.get_terminal_size().columns - 2 if width is None else width
        self.prog, self.step = prog, indent_increment
        self.column_max = min(max_help_position, max(self.width - 20, indent_increment * 2))

    def usage(self, text, actions, groups):
        """The usage line, wrapped between arguments."""
        if text is not None:
            return f"usage: {text % {'prog': self.prog}}\n\n"
        options = [action for action in actions if action.option_strings]
        places = [action for action in actions if not action.option_strings]
        parts = self._parts(options, groups) + self._parts(places, groups)
        line = " ".join([self.prog] + parts)
        room = self.width
        if len("usage: " + line) > room:
            line = self._wrapped(self._parts(options, groups), self._parts(places, groups), room)
        return f"usage: {line}\n\n"

    def _wrapped(self, options, places, room):
        def lines(parts, indent, first):
            made, line, used = [], list(first), len(indent) - 1 if not first else sum(map(len, first)) + len("usage: ")
            for part in parts:
                if used + 1 + len(part) > room and line:
                    made.append(indent + " ".join(line))
                    line, used = [], len(indent) - 1
                line.append(part)
                used += len(part) + 1
            if line:
                made.append(indent + " ".join(line))
            if first and made:
                made[0] = made[0][len(indent):]
            return made

        if len("usage: ") + len(self.prog) <= 0.75 * room:
            indent = " " * (len("usage: ") + len(self.prog) + 1)
            if options:
                return "\n".join(lines(options, indent, [self.prog]) + (lines(places, indent, []) if places else []))
            return "\n".join(lines(places, indent, [self.prog])) if places else self.prog
        indent = " " * len("usage: ")
        both = lines(options + places, indent, [])
        if len(both) > 1:
            both = lines(options, indent, []) + lines(places, indent, [])
        return "\n".join([self.prog] + both)

    def _parts(self, actions, groups):
        parts, done = [], set()
        for action in actions:
            if id(action) in done:
                continue
            group = next((one for one in groups if action in one.members), None)
            members = [one for one in group.members if one.help is not SUPPRESS] if group is not None else []
            if len(members) > 1 and all(one in actions for one in members):
                done.update(id(one) for one in members)
                inner = " | ".join(self._part(one, True) for one in members)
                parts.append(f"({inner})" if group.required else f"[{inner}]")
            elif action.help is not SUPPRESS:
                parts.append(self._part(action, False))
        return parts

    def _part(self, action, is_bare):
        if not action.option_strings:
            part = self.values(action, self.placeholder(action))
            return part[1:-1] if is_bare and part[:1] == "[" and part[-1:] == "]" else part
        part = action.usage_name()
        if action.nargs != 0:
            part = f"{part} {self.values(action, self.placeholder(action))}"
        return part if action.required or is_bare else f"[{part}]"

    def placeholder(self, action):
        """What stands for a value in usage and help."""
        if action.metavar is not None:
            return action.metavar
        if action.choices is not None:
            return "{" + ",".join(str(choice) for choice in action.choices) + "}"
        if self.names_types:
            return action.type.__name__
        return action.dest.upper() if action.option_strings else action.dest

    def values(self, action, name):
        """How many values are wanted, in the notation of usage lines."""
        names = name if isinstance(name, tuple) else None
        one = lambda index: names[index] if names else name
        count = action.nargs
        if count is None:
            return f"{one(0)}"
        if count == OPTIONAL:
            return f"[{one(0)}]"
        if count == ZERO_OR_MORE:
            return f"[{one(0)} [{one(1)} ...]]" if names and len(names) == 2 else f"[{one(0)} ...]"
        if count == ONE_OR_MORE:
            return f"{one(0)} [{one(1) if names else name} ...]"
        if count == REMAINDER:
            return "..."
        if count == PARSER:
            return f"{one(0)} ..."
        if count == SUPPRESS:
            return ""
        return " ".join(f"{one(index)}" for index in range(count))

    def invocation(self, action):
        """The left column of an argument's help."""
        if not action.option_strings:
            name = self.placeholder(action)
            return name[0] if isinstance(name, tuple) else name
        if action.nargs == 0:
            return ", ".join(action.option_strings)
        value = self.values(action, self.placeholder(action))
        return ", ".join(f"{option} {value}" for option in action.option_strings)

    def explanation(self, action):
        """The right column of an argument's help."""
        params = dict(vars(action), prog=self.prog)
        for name in list(params):
            if params[name] is SUPPRESS:
                del params[name]
            elif hasattr(params[name], "__name__"):
                params[name] = params[name].__name__
        if params.get("choices") is not None:
            params["choices"] = ", ".join(str(choice) for choice in params["choices"])
        text = action.help
        if self.shows_defaults and "%(default)" not in (text or "") and action.default is not SUPPRESS:
            if action.option_strings or action.nargs in (OPTIONAL, ZERO_OR_MORE):
                text = (text or "") + " (default: %(default)s)"
        return text % params

    def text(self, text):
        """A paragraph."""
        if text is None or text is SUPPRESS:
            return ""
        if "%(prog)" in text:
            text = text % {"prog": self.prog}
        if self.keeps_description:
            return "".join(line + "\n" for line in text.rstrip("\n").split("\n")) + "\n"
        return "\n".join(textwrap.wrap(" ".join(text.split()), max(self.width, 11))) + "\n\n"

    def sections(self, sections):
        """Every section with its arguments in two columns of one width."""
        entries = [
            (indent, action)
            for _, _, actions in sections
            for top in actions
            for indent, action in [(self.step, top)] + [(2 * self.step, sub) for sub in top.listed()]
            if action.help is not SUPPRESS
        ]
        longest = max((len(self.invocation(action)) + indent for indent, action in entries), default=0)
        column = min(longest + 2, self.column_max)
        made = []
        for title, description, actions in sections:
            text = ""
            if description and description is not SUPPRESS:
                indented = self._indented(description)
                text += indented + "\n"
            for top in actions:
                for indent, action in [(self.step, top)] + [(2 * self.step, sub) for sub in top.listed()]:
                    if action.help is not SUPPRESS:
                        text += self._entry(action, indent, column)
            if text:
                made.append((f"{title}:\n" if title else "") + text)
        return "\n".join(made)

    def _indented(self, text):
        text = text % {"prog": self.prog} if "%(prog)" in text else text
        pad = " " * self.step
        if self.keeps_description:
            return "".join(pad + line + "\n" for line in text.rstrip("\n").split("\n"))
        return "".join(pad + line + "\n" for line in textwrap.wrap(" ".join(text.split()), max(self.width - self.step, 11)))

    def _entry(self, action, indent, column):
        head = " " * indent + self.invocation(action)
        text = self.explanation(action) if action.help and action.help.strip() else None
        if text is None and self.shows_defaults and action.help is None:
            text = None
        if text is None:
            return head + "\n"
        room = max(self.width - column, 11)
        lines = text.splitlines() if self.keeps_help else textwrap.wrap(" ".join(text.split()), room)
        if len(head) <= column - 2:
            first = head + " " * (column - len(head)) + (lines[0] if lines else "")
            rest = lines[1:]
        else:
            first, rest = head, lines
        return "".join(line + "\n" for line in [first] + [" " * column + line for line in rest])


class RawDescriptionHelpFormatter(HelpFormatter):
    """Descriptions keep their lines."""

    keeps_description = True


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    """Help keeps its lines too."""

    keeps_help = True


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    """Help says each default."""

    shows_defaults = True


class MetavarTypeHelpFormatter(HelpFormatter):
    """Values are named by their types."""

    names_types = True


# What an argument does with its values.


class Action:
    """One argument: how it is written, what it takes and what happens when it is met."""

    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False,
                 help=None, metavar=None):
        self.option_strings, self.dest, self.nargs, self.const = option_strings, dest, nargs, const
        self.default, self.type, self.choices = default, type, choices
        self.required, self.help, self.metavar = required, help, metavar

    def usage_name(self):
        """How the usage line writes the option."""
        return self.option_strings[0]

    def listed(self):
        """Entries that help shows below this one."""
        return []

    def __repr__(self):
        names = ["option_strings", "dest", "nargs", "const", "default", "type", "choices", "required", "help", "metavar"]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError(".__call__() not defined")


class _Store(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, **options):
        if nargs == 0:
            raise ValueError("nargs for store actions must be != 0; if you have nothing to store, actions such as store true "
                             "or store const may be more appropriate")
        if const is not None and nargs != OPTIONAL:
            raise ValueError("nargs must be %r to supply const" % OPTIONAL)
        super().__init__(option_strings, dest, nargs=nargs, const=const, **options)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _StoreConst(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None):
        super().__init__(option_strings, dest, nargs=0, const=const, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrue(_StoreConst):
    def __init__(self, option_strings, dest, default=False, required=False, help=None):
        super().__init__(option_strings, dest, const=True, default=default, required=required, help=help)


class _StoreFalse(_StoreConst):
    def __init__(self, option_strings, dest, default=True, required=False, help=None):
        super().__init__(option_strings, dest, const=False, default=default, required=required, help=help)


class _Append(_Store):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, list(getattr(namespace, self.dest, None) or []) + [values])


class _Extend(_Store):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, list(getattr(namespace, self.dest, None) or []) + list(values))


class _AppendConst(_StoreConst):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, list(getattr(namespace, self.dest, None) or []) + [self.const])


class _Count(Action):
    def __init__(self, option_strings, dest, default=None, required=False, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _Help(Action):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.print_help()
        parser.exit()


class _Version(Action):
    def __init__(self, option_strings, version=None, dest=SUPPRESS, default=SUPPRESS,
                 help="show program's version number and exit"):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)
        self.version = version

    def __call__(self, parser, namespace, values, option_string=None):
        formatter = parser._formatter()
        parser._print_message(formatter.text(self.version).rstrip("\n") + "\n", sys.stdout)
        parser.exit()


class BooleanOptionalAction(Action):
    """`--name` and `--no-name`."""

    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False, help=None, metavar=None):
        both = []
        for option in option_strings:
            both.append(option)
            if option.startswith("--"):
                both.append("--no-" + option[2:])
        super().__init__(both, dest, nargs=0, default=default, type=type, choices=choices, required=required, help=help,
                         metavar=metavar)

    def usage_name(self):
        return " | ".join(self.option_strings)

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string in self.option_strings:
            setattr(namespace, self.dest, not option_string.startswith("--no-"))


class _Choice(Action):
    def __init__(self, name, aliases, help):
        shown = name + (f" ({', '.join(aliases)})" if aliases else "")
        super().__init__([], name, help=help, metavar=shown)


class _Subparsers(Action):
    def __init__(self, option_strings, prog, parser_class, dest=SUPPRESS, required=False, help=None, metavar=None):
        self._prog_prefix, self._parser_class, self._entries = prog, parser_class, []
        super().__init__(option_strings, dest, nargs=PARSER, choices={}, required=required, help=help, metavar=metavar)

    def listed(self):
        return self._entries

    def add_parser(self, name, *, aliases=(), help=None, **options):
        """A parser for a subcommand."""
        options.setdefault("prog", f"{self._prog_prefix} {name}")
        if help is not None:
            self._entries.append(_Choice(name, aliases, help))
        parser = self._parser_class(**options)
        for one in (name, *aliases):
            self.choices[one] = parser
        return parser

    def __call__(self, parser, namespace, values, option_string=None):
        name, *rest = values
        if self.dest is not SUPPRESS:
            setattr(namespace, self.dest, name)
        chosen = self.choices.get(name)
        if chosen is None:
            names = ", ".join(self.choices)
            raise ArgumentError(self, f"unknown parser {name!r} (choices: {names})")
        own, left = chosen.parse_known_args(rest, None)
        for key, value in vars(own).items():
            setattr(namespace, key, value)
        parser._left_by_subcommands.extend(left)


class FileType:
    """Opens the file that an argument names; `-` is standard input or output."""

    def __init__(self, mode="r", bufsize=-1, encoding=None, errors=None):
        self._mode, self._encoding, self._errors = mode, encoding, errors

    def __call__(self, string):
        if string == "-":
            return sys.stdin if "r" in self._mode else sys.stdout
        try:
            return open(string, self._mode, encoding=self._encoding, errors=self._errors)
        except OSError as error:
            raise ArgumentTypeError(f"can't open '{string}': {error}")


_ACTIONS = {
    None: _Store, "store": _Store, "store_const": _StoreConst, "store_true": _StoreTrue, "store_false": _StoreFalse,
    "append": _Append, "append_const": _AppendConst, "count": _Count, "help": _Help, "version": _Version, "extend": _Extend,
}


class _Container:
    """What arguments are added to: a parser, or a group of one."""

    def add_argument(self, *names, **options):
        """Adds an argument: `-x`, `--long` or the name of a positional one."""
        parser = self._parser
        given = options.pop("action", None)
        made = _ACTIONS.get(given) if given is None or isinstance(given, str) else given
        if made is None:
            raise ValueError(f'unknown action "{given}"')
        is_positional = not names or (len(names) == 1 and names[0][0] not in parser.prefix_chars)
        if is_positional:
            if names and "dest" in options:
                raise ValueError("dest supplied twice for positional argument")
            dest, option_strings = options.pop("dest", None) or (names[0] if names else None), []
            if "required" in options:
                raise TypeError("'required' is an invalid argument for positionals")
            count = options.get("nargs")
            is_required = count not in (OPTIONAL, ZERO_OR_MORE, REMAINDER, SUPPRESS) or (
                count == ZERO_OR_MORE and "default" not in options)
        else:
            option_strings = list(names)
            for name in names:
                if name[0] not in parser.prefix_chars:
                    raise ValueError(f"invalid option string {name!r}: must start with a character {parser.prefix_chars!r}")
            dest = options.pop("dest", None)
            if dest is None:
                long = next((name for name in names if len(name) > 1 and name[1] in parser.prefix_chars), names[0])
                dest = long.lstrip(parser.prefix_chars)
                if not dest:
                    raise ValueError(f"dest= is required for options like {names[0]!r}")
                dest = dest.replace("-", "_")
        if made in (_Help, _Version):
            dest = options.pop("dest", SUPPRESS)
        elif "default" not in options:
            if dest in parser._defaults:
                options["default"] = parser._defaults[dest]
            elif parser.argument_default is not None:
                options["default"] = parser.argument_default
        action = made(option_strings, dest=dest, **options)
        if is_positional:
            action.required = is_required and action.nargs != 0
        if action.type is not None and not callable(action.type):
            raise ValueError(f"{action.type!r} is not callable")
        return self._add(action)

    def _add(self, action):
        parser = self._parser
        for option in action.option_strings:
            known = parser._options.get(option)
            if known is None:
                continue
            if parser.conflict_handler != "resolve":
                both = [one for one in action.option_strings if one in parser._options]
                word = "string" if len(both) == 1 else "strings"
                raise ArgumentError(action, f"conflicting option {word}: {', '.join(both)}")
            known.option_strings.remove(option)
            if not known.option_strings:
                parser._remove(known)
        for option in action.option_strings:
            parser._options[option] = action
        parser._actions.append(action)
        self._section.append(action)
        action.container = self
        return action

    def add_mutually_exclusive_group(self, *, required=False):
        """A group of which one argument at most may be given."""
        group = _Exclusive(self, required)
        self._parser._exclusive.append(group)
        return group


class _Exclusive(_Container):
    def __init__(self, container, required):
        self._parser, self._section, self.required, self.members = container._parser, container._section, required, []

    def _add(self, action):
        if action.required:
            raise ValueError("mutually exclusive arguments must be optional")
        self.members.append(action)
        return super()._add(action)


class _Group(_Container):
    def __init__(self, parser, title, description):
        self._parser, self._section, self.title, self.description = parser, [], title, description


class ArgumentParser(_Container):
    """Turns a list of texts into values, and explains how they are written."""

    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(), formatter_class=HelpFormatter,
                 prefix_chars="-", fromfile_prefix_chars=None, argument_default=None, conflict_handler="error", add_help=True,
                 allow_abbrev=True, exit_on_error=True):
        self.prog = os.path.basename(sys.argv[0]) if prog is None else prog
        self.usage, self.description, self.epilog, self.formatter_class = usage, description, epilog, formatter_class
        self.prefix_chars, self.fromfile_prefix_chars = prefix_chars, fromfile_prefix_chars
        self.argument_default, self.conflict_handler = argument_default, conflict_handler
        self.add_help, self.allow_abbrev, self.exit_on_error = add_help, allow_abbrev, exit_on_error
        self._parser, self._actions, self._options, self._defaults = self, [], {}, {}
        self._exclusive, self._left_by_subcommands, self._subparsers = [], [], None
        self._positionals, self._optionals = _Group(self, "positional arguments", None), _Group(self, "options", None)
        self._groups = [self._positionals, self._optionals]
        if add_help:
            dash = "-" if "-" in prefix_chars else prefix_chars[0]
            self.add_argument(dash + "h", dash * 2 + "help", action="help", default=SUPPRESS,
                              help="show this help message and exit")
        for parent in parents:
            self._take(parent)

    @property
    def _section(self):
        return self

    def append(self, action):
        """Puts an argument into the section of its sort."""
        (self._optionals if action.option_strings else self._positionals)._section.append(action)

    def _take(self, parent):
        groups = {id(parent._positionals): self._positionals, id(parent._optionals): self._optionals}
        for group in parent._groups[2:]:
            groups[id(group)] = self.add_argument_group(group.title, group.description)
        for group in parent._groups:
            for action in group._section:
                groups[id(group)]._add(action)
        self._exclusive.extend(parent._exclusive)
        self._defaults.update(parent._defaults)

    def _remove(self, action):
        self._actions.remove(action)
        for group in self._groups:
            if action in group._section:
                group._section.remove(action)

    def add_argument_group(self, title=None, description=None):
        """A section of the help."""
        group = _Group(self, title, description)
        self._groups.append(group)
        return group

    def add_subparsers(self, *, title=None, description=None, prog=None, parser_class=None, dest=SUPPRESS, required=False,
                       help=None, metavar=None, action=None):
        """Subcommands, each with a parser of its own."""
        if self._subparsers is not None:
            self.error("cannot have multiple subparser arguments")
        group = self._positionals
        if title is not None or description is not None:
            group = self.add_argument_group("subcommands" if title is None else title, description)
        if prog is None:
            places = [one for one in self._actions if not one.option_strings]
            prog = self._formatter().usage(self.usage, places, self._exclusive)[len("usage: "):].strip()
        self._subparsers = _Subparsers([], prog, parser_class or type(self), dest=dest, required=required, help=help,
                                       metavar=metavar)
        group._add(self._subparsers)
        return self._subparsers

    def set_defaults(self, **defaults):
        """Values of attributes that no argument gives."""
        self._defaults.update(defaults)
        for action in self._actions:
            if action.dest in defaults:
                action.default = defaults[action.dest]

    def get_default(self, dest):
        """The default of an attribute."""
        for action in self._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._defaults.get(dest)

    def parse_args(self, args=None, namespace=None):
        """The values; anything that no argument takes is an error."""
        found, left = self.parse_known_args(args, namespace)
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return found

    def parse_known_args(self, args=None, namespace=None):
        """The values, and the texts that no argument takes."""
        args = list(sys.argv[1:] if args is None else args)
        namespace = Namespace() if namespace is None else namespace
        for action in self._actions:
            if action.dest is not SUPPRESS and not hasattr(namespace, action.dest) and action.default is not SUPPRESS:
                setattr(namespace, action.dest, action.default)
        for dest, value in self._defaults.items():
            if not hasattr(namespace, dest):
                setattr(namespace, dest, value)
        if not self.exit_on_error:
            return self._parse(args, namespace)
        try:
            return self._parse(args, namespace)
        except ArgumentError as error:
            self.error(str(error))

    # Parsing: every text is an option or a value, and what follows takes as many values as it wants.

    def _parse(self, args, namespace):
        args = self._from_files(args) if self.fromfile_prefix_chars is not None else args
        self._left_by_subcommands = []
        run = _Run(self, args, namespace)
        left = run.all()
        for action in self._actions:
            if action in run.seen or not isinstance(action.default, str):
                continue
            # A default that is text is what would have been typed.
            if hasattr(namespace, action.dest) and action.default is getattr(namespace, action.dest):
                setattr(namespace, action.dest, self._value(action, action.default))
        missing = [_name_of(action) for action in self._actions if action.required and action not in run.seen]
        if missing:
            self.error(f"the following arguments are required: {', '.join(str(name) for name in missing)}")
        for group in self._exclusive:
            if group.required and not any(action in run.given for action in group.members):
                names = [_name_of(action) for action in group.members if action.help is not SUPPRESS]
                self.error(f"one of the arguments {' '.join(names)} is required")
        return namespace, left + self._left_by_subcommands

    def _from_files(self, args):
        made = []
        for arg in args:
            if not arg or arg[0] not in self.fromfile_prefix_chars:
                made.append(arg)
                continue
            try:
                with open(arg[1:]) as file:
                    lines = [one for line in file.read().splitlines() for one in self.convert_arg_line_to_args(line)]
                made.extend(self._from_files(lines))
            except OSError as error:
                self.error(str(error))
        return made

    def convert_arg_line_to_args(self, arg_line):
        """What a line of a file of arguments stands for."""
        return [arg_line]

    def _value(self, action, text):
        make = action.type
        if make is None:
            return text
        try:
            return make(text)
        except ArgumentTypeError as error:
            raise ArgumentError(action, str(error)) from None
        except (TypeError, ValueError):
            name = getattr(make, "__name__", repr(make))
            raise ArgumentError(action, f"invalid {name} value: {text!r}") from None

    def _chosen(self, action, value):
        if action.choices is not None and value not in action.choices:
            names = ", ".join(map(repr, action.choices))
            raise ArgumentError(action, f"invalid choice: {value!r} (choose from {names})")

    def _values(self, action, texts):
        if action.nargs not in (PARSER, REMAINDER):
            texts = [text for at, text in enumerate(texts) if text != "--" or "--" in texts[:at]]
        count = action.nargs
        if not texts and count == OPTIONAL:
            value = action.const if action.option_strings else action.default
            if isinstance(value, str):
                value = self._value(action, value)
                self._chosen(action, value)
            return value
        if not texts and count == ZERO_OR_MORE and not action.option_strings:
            return action.default if action.default is not None else texts
        if count in (None, OPTIONAL):
            value = self._value(action, texts[0])
            self._chosen(action, value)
            return value
        if count == SUPPRESS:
            return SUPPRESS
        values = [self._value(action, text) for text in texts]
        for value in values[:1] if count == PARSER else [] if count == REMAINDER else values:
            self._chosen(action, value)
        return values

    # What is printed.

    def _formatter(self):
        return self.formatter_class(prog=self.prog)

    def format_usage(self):
        """The usage line."""
        return self._formatter().usage(self.usage, self._actions, self._exclusive).rstrip("\n") + "\n"

    def format_help(self):
        """The whole help."""
        formatter = self._formatter()
        sections = [(group.title, group.description, group._section) for group in self._groups]
        text = formatter.usage(self.usage, self._actions, self._exclusive) if self.usage is not SUPPRESS else ""
        text += formatter.text(self.description) + formatter.sections(sections)
        if self.epilog:
            text += "\n" + formatter.text(self.epilog)
        return re.sub(r"\n\n\n+", "\n\n", text).strip("\n") + "\n"

    def print_usage(self, file=None):
        """Prints the usage line."""
        self._print_message(self.format_usage(), sys.stdout if file is None else file)

    def print_help(self, file=None):
        """Prints the help."""
        self._print_message(self.format_help(), sys.stdout if file is None else file)

    def _print_message(self, message, file=None):
        if message:
            (sys.stderr if file is None else file).write(message)

    def exit(self, status=0, message=None):
        """Leaves the program."""
        if message:
            self._print_message(message, sys.stderr)
        sys.exit(status)

    def error(self, message):
        """Says what is wrong and leaves with status 2."""
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}\n")


class _Run:
    """One pass over the texts of a command line."""

    def __init__(self, parser, args, namespace):
        self.parser, self.args, self.namespace = parser, args, namespace
        self.seen, self.given, self.left = [], [], []
        self.waiting = [action for action in parser._actions if not action.option_strings]
        numbers = re.compile(r"^-\d+$|^-\d*\.\d+$")
        self.has_number_options = any(numbers.match(option) for option in parser._options)
        self.numbers = numbers
        self.kinds, self.found = "", {}
        values_only = False
        for at, arg in enumerate(args):
            if values_only:
                self.kinds += "A"
            elif arg == "--":
                self.kinds, values_only = self.kinds + "-", True
            else:
                option = self._option(arg)
                if option is not None:
                    self.found[at] = option
                self.kinds += "A" if option is None else "O"

    def _option(self, arg):
        """The argument that a text means, the option as written there and the value joined to it; `None` for values."""
        parser = self.parser
        if not arg or arg[0] not in parser.prefix_chars:
            return None
        if arg in parser._options:
            return parser._options[arg], arg, None
        if len(arg) == 1:
            return None
        if "=" in arg:
            name, value = arg.split("=", 1)
            if name in parser._options:
                return parser._options[name], name, value
        matches = self._abbreviated(arg)
        if len(matches) > 1:
            names = ", ".join(name for _, name, _ in matches)
            raise ArgumentError(None, f"ambiguous option: {arg} could match {names}")
        if matches:
            return matches[0]
        if self.numbers.match(arg) and not self.has_number_options:
            return None
        if " " in arg:
            return None
        return None, arg, None

    def _abbreviated(self, arg):
        parser, chars = self.parser, self.parser.prefix_chars
        options = parser._options
        if arg[0] in chars and arg[1] in chars:
            if not parser.allow_abbrev:
                return []
            name, has_value, value = arg.partition("=")
            return [(action, option, value if has_value else None) for option, action in options.items() if option.startswith(name)]
        made = []
        for option, action in options.items():
            if option == arg[:2]:
                made.append((action, option, arg[2:]))
            elif parser.allow_abbrev and option.startswith(arg):
                made.append((action, option, None))
        return made

    def all(self):
        """Every text in its turn; answers what no argument took."""
        at, last = 0, max(self.found, default=-1)
        while at <= last:
            next_option = min(place for place in self.found if place >= at)
            if at != next_option:
                after = self._take_places(at)
                if after > at:
                    at = after
                    continue
            if at not in self.found:
                self.left.extend(self.args[at:next_option])
                at = next_option
            at = self._take_option(at)
        stop = self._take_places(at)
        return self.left + self.args[stop:]

    def _act(self, action, texts, option=None):
        if action not in self.seen:
            self.seen.append(action)
        values = self.parser._values(action, texts)
        if values is not action.default:
            if action not in self.given:
                self.given.append(action)
            for group in self.parser._exclusive:
                for other in group.members:
                    if action in group.members and other is not action and other in self.given:
                        raise ArgumentError(action, f"not allowed with argument {_name_of(other)}")
        if values is not SUPPRESS:
            action(self.parser, self.namespace, values, option)

    def _take_option(self, at):
        action, option, joined = self.found[at]
        if action is None:
            self.left.append(self.args[at])
            # What follows an unknown option is nobody's until the next place takes it.
            return at + 1
        stop = at + 1
        while joined is not None:
            if self._count(action, "A") == 1:
                self._act(action, [joined], option)
                return stop
            is_short = option[1:2] not in tuple(self.parser.prefix_chars) and len(option) == 2
            if self._count(action, "A") == 0 and is_short and joined != "" and action.nargs == 0:
                # -xvf: flags written together.
                self._act(action, [], option)
                option, rest = option[0] + joined[0], joined[1:]
                action = self.parser._options.get(option)
                if action is None:
                    raise ArgumentError(self.found[at][0], f"ignored explicit argument {joined!r}")
                joined = rest or None
                if joined is not None and joined[0] == "=":
                    joined = joined[1:]
                continue
            raise ArgumentError(action, f"ignored explicit argument {joined!r}")
        count = self._count(action, self.kinds[stop:])
        if count is None:
            raise ArgumentError(action, self._wanted(action))
        self._act(action, self.args[stop : stop + count], option)
        return stop + count

    def _wanted(self, action):
        words = {None: "expected one argument", OPTIONAL: "expected at most one argument",
                 ONE_OR_MORE: "expected at least one argument"}
        if action.nargs in words:
            return words[action.nargs]
        return f"expected {action.nargs} argument{'' if action.nargs == 1 else 's'}"

    def _pattern(self, action):
        count = action.nargs
        pattern = {
            None: "(-*A-*)", OPTIONAL: "(-*A?-*)", ZERO_OR_MORE: "(-*[A-]*)", ONE_OR_MORE: "(-*A[A-]*)",
            REMAINDER: "([-AO]*)", PARSER: "(-*A[-AO]*)", SUPPRESS: "(-*-*)",
        }.get(count)
        if pattern is None:
            pattern = "(-*" + "-*".join("A" * count) + "-*)"
        return pattern.replace("-*", "").replace("-", "") if action.option_strings else pattern

    def _count(self, action, kinds):
        match = re.match(self._pattern(action), kinds)
        return None if match is None else len(match.group(1))

    def _take_places(self, at):
        """Gives values to as many waiting positional arguments as can have them."""
        kinds = self.kinds[at:]
        for many in range(len(self.waiting), 0, -1):
            match = re.match("".join(self._pattern(action) for action in self.waiting[:many]), kinds)
            if match is not None:
                for action, part in zip(list(self.waiting[:many]), match.groups()):
                    self._act(action, self.args[at : at + len(part)])
                    at += len(part)
                self.waiting = self.waiting[many:]
                break
        return at
