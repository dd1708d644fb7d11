import os.pathh
