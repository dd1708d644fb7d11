# control flow
i = 0
while True:
    i += 1
    if i == 3: continue
    if i > 5: break
else:
    print("no")
print(i)
for k in range(3):
    if k == 9: break
else:
    print("else")
