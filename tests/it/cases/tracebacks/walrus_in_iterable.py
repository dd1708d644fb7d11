print('never')
rows = [x for x in (y := [1])]
