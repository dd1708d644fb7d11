"""What notebooks use of IPython.display: showing values, taking output away, and text that is shown as what it is."""

import _host

__all__ = ["clear_output", "display", "update_display", "DisplayObject", "HTML", "JSON", "Latex", "Markdown", "SVG"]


def display(*objs, **options):
    """Show values in the front end, each in the richest form it has."""
    show = _host.find_name("display")
    if show is not None:
        return show(*objs, **options)
    for obj in objs:
        print(repr(obj))


def update_display(obj, *, display_id, **options):
    """Replace what an earlier display with this name shows."""
    handle = display(display_id=display_id)
    if handle is not None:
        handle.update(obj)


def clear_output(wait=False):
    """Take away what the cell has shown so far; with wait, only when something new is shown."""
    _host.run_magic("clear", "--wait" if wait else "")


class DisplayObject:
    """A text that is shown as what it is."""

    def __init__(self, data=None, url=None, filename=None, metadata=None):
        if url is not None:
            raise NotImplementedError(f"{type(self).__name__}(url=...): this kernel fetches nothing")
        if filename is not None:
            with open(filename) as file:
                data = file.read()
        self.data = data
        self.metadata = metadata

    def __repr__(self):
        return f"<IPython.core.display.{type(self).__name__} object>"


class HTML(DisplayObject):
    """HTML."""

    def _repr_html_(self):
        return self.data


class Markdown(DisplayObject):
    """Markdown."""

    def _repr_markdown_(self):
        return self.data


class Latex(DisplayObject):
    """LaTeX."""

    def _repr_latex_(self):
        return self.data


class SVG(DisplayObject):
    """An SVG picture."""

    def _repr_svg_(self):
        return self.data


class JSON(DisplayObject):
    """A value that is shown as a tree."""

    def _repr_json_(self):
        return self.data
