"""Features that are there already: importing them changes nothing."""


class _Feature:
    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"<feature {self._name}>"


nested_scopes = _Feature("nested_scopes")
generators = _Feature("generators")
division = _Feature("division")
absolute_import = _Feature("absolute_import")
with_statement = _Feature("with_statement")
print_function = _Feature("print_function")
unicode_literals = _Feature("unicode_literals")
generator_stop = _Feature("generator_stop")
annotations = _Feature("annotations")
all_feature_names = ["nested_scopes", "generators", "division", "absolute_import", "with_statement", "print_function",
                     "unicode_literals", "generator_stop", "annotations"]
