a = 5
b = (a.
     real.imagg
     + 3)
