"""What notebooks use of IPython.display: showing values, taking output away, and text that is shown as what it is."""

import base64

import _host

__all__ = [
    "clear_output", "display", "display_html", "display_latex", "display_markdown", "update_display", "Code",
    "DisplayObject", "HTML", "IFrame", "Image", "JSON", "Javascript", "Latex", "Markdown", "Math", "Pretty", "SVG",
    "TextDisplayObject",
]


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


def html_text(value):
    """What may stand between the quotes of an attribute."""
    return str(value).replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


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


class TextDisplayObject(DisplayObject):
    """A text; another name that IPython has for it."""


class HTML(TextDisplayObject):
    """HTML."""

    def _repr_html_(self):
        return self.data


class Markdown(TextDisplayObject):
    """Markdown."""

    def _repr_markdown_(self):
        return self.data


class Latex(TextDisplayObject):
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


class Math(Latex):
    """LaTeX between signs of display mathematics."""

    def _repr_latex_(self):
        formula = self.data.strip("$")
        return f"$\\displaystyle {formula}$"


class Javascript(TextDisplayObject):
    """JavaScript, which the front end runs if it trusts the notebook."""

    def _repr_javascript_(self):
        return self.data


class Pretty(TextDisplayObject):
    """A text shown as it stands."""

    def __repr__(self):
        return self.data


class Code(TextDisplayObject):
    """The text of a program, set as one."""

    def __init__(self, data=None, url=None, filename=None, language=None):
        super().__init__(data, url, filename)
        self.language = language

    def __repr__(self):
        return self.data

    def _repr_markdown_(self):
        return f"```{self.language or ''}\n{self.data}\n```"


class IFrame:
    """A page inside the notebook."""

    def __init__(self, src, width, height, **params):
        query = "&".join(f"{name}={value}" for name, value in params.items())
        self.src, self.width, self.height = src + ("?" + query if query else ""), width, height

    def __repr__(self):
        return f"<IPython.lib.display.IFrame object: {self.src}>"

    def _repr_html_(self):
        src, width, height = html_text(self.src), html_text(self.width), html_text(self.height)
        return f'<iframe width="{width}" height="{height}" src="{src}" frameborder="0" allowfullscreen></iframe>'


class Image(DisplayObject):
    """A picture: PNG, JPEG or GIF from bytes or a file, SVG by its own class."""

    _SIGNS = {"png": b"\x89PNG\r\n", "jpeg": b"\xff\xd8", "gif": b"GIF8"}

    def __init__(self, data=None, url=None, filename=None, format=None, width=None, height=None, alt=None, **options):
        for name in options:
            if name not in ("embed", "retina", "unconfined", "metadata"):
                raise TypeError(f"Image.__init__() got an unexpected keyword argument '{name}'")
        if url is not None or isinstance(data, str) and data.startswith(("http:", "https:")):
            raise NotImplementedError("Image(url=...): this kernel fetches nothing")
        if isinstance(data, str):
            filename, data = data, None
        if filename is not None:
            with open(filename, "rb") as file:
                data = file.read()
        if data is None:
            raise ValueError("No image data found. Expecting filename, url, or data.")
        found = next((name for name, sign in self._SIGNS.items() if bytes(data[:8]).startswith(sign)), None)
        format = {"jpg": "jpeg"}.get(format, format) or found
        if format not in self._SIGNS:
            raise ValueError("Cannot embed the image: it is neither PNG nor JPEG nor GIF")
        self.data, self.format, self.width, self.height, self.alt = data, format, width, height, alt

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"image/" + self.format: self.data}

    def _repr_html_(self):
        """Only where a size was asked for, which a bare picture cannot carry."""
        if self.width is None and self.height is None:
            return None
        sizes = {"width": self.width, "height": self.height, "alt": self.alt}
        given = "".join(f' {name}="{html_text(value)}"' for name, value in sizes.items() if value is not None)
        return f'<img src="data:image/{self.format};base64,{base64.b64encode(self.data).decode()}"{given}/>'


def _display_as(kind, objs, raw, options):
    for obj in objs:
        display(kind(obj) if raw else obj, **options)


def display_html(*objs, raw=False, **options):
    """Show as HTML: objects that have it, or with raw texts that are it."""
    _display_as(HTML, objs, raw, options)


def display_latex(*objs, raw=False, **options):
    """As display_html, for LaTeX."""
    _display_as(Latex, objs, raw, options)


def display_markdown(*objs, raw=False, **options):
    """As display_html, for Markdown."""
    _display_as(Markdown, objs, raw, options)
