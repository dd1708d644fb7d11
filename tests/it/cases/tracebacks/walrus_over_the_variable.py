print('never')
rows = [x := 1 for x in [1]]
