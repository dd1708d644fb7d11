# Files, hashes, logs and warnings in daily use.
import pathlib, io, struct, hashlib, logging, sys, os, tempfile, shutil, base64, binascii, glob, uuid, pprint, warnings, traceback
with tempfile.TemporaryDirectory() as t:
    p=pathlib.Path(t)/'a'/'b.txt'; p.parent.mkdir(parents=True); p.write_text('hello\nworld\n'); print(p.name,p.stem,p.suffix,p.exists(),p.is_file(),p.read_text().splitlines(),p.stat().st_size, p.parent.name, p.with_suffix('.md').name, p.relative_to(t), list(x.name for x in pathlib.Path(t).rglob('*')), p.parts[-2:])
    with p.open('a') as f: f.write('more\n')
    with open(p) as f:
        for i,line in enumerate(f,1): print(i,line.rstrip())
    with open(p,'rb') as f: print(f.read(5), f.tell(), f.seek(0), f.readline())
    q=p.rename(p.with_name('c.txt')); print(q.name, p.exists(), sorted(os.listdir(q.parent)), [g.split('/')[-1] for g in glob.glob(t+'/**/*.txt',recursive=True)])
    shutil.copy(q,p); q.unlink(); print(sorted(x.name for x in q.parent.iterdir())); shutil.rmtree(q.parent); print(os.listdir(t))
print(pathlib.PurePosixPath('/a/b/../c.tar.gz').suffixes, pathlib.Path('a')/'b', pathlib.Path('x.py').match('*.py'), pathlib.Path('/a')==pathlib.Path('/a'), repr(pathlib.Path('q')), pathlib.Path('/a/b').is_absolute(), os.path.join('a','b'), os.path.splitext('a.b.c'), os.path.basename('/x/y'), pathlib.Path('a/b/c').parents[1], str(pathlib.Path('a').joinpath('b','c')))
try: open('/nonexistent/x')
except FileNotFoundError as e: print(e, e.errno, e.filename)
b=io.BytesIO(b'abc'); print(b.read(2), b.getvalue()); b.write(b'ZZ'); print(b.getvalue()); s=io.StringIO('l1\nl2'); print(s.readlines())
print(struct.pack('<IhB',1,-2,3), struct.unpack('>H',b'\x01\x02'), struct.calcsize('iq'), struct.pack('3sf',b'ab',1.5), list(struct.iter_unpack('<H',b'\1\0\2\0')))
print(hashlib.md5(b'a').hexdigest(), hashlib.sha256(b'abc').hexdigest()[:16], hashlib.sha1(b'').hexdigest(), hashlib.new('sha512',b'x').hexdigest()[:8])
h=hashlib.sha256(); h.update(b'ab'); h.update(b'c'); print(h.hexdigest()[:16], h.digest_size, h.name)
print(base64.b64encode(b'hello'), base64.b64decode('aGVsbG8='), binascii.hexlify(b'\xff'), base64.urlsafe_b64encode(b'\xff\xfe'), binascii.crc32(b'abc'))
log=logging.getLogger('app'); hd=logging.StreamHandler(sys.stdout); hd.setFormatter(logging.Formatter('%(levelname)s:%(name)s:%(message)s')); log.addHandler(hd); log.setLevel(logging.INFO)
log.info('hi %s %d','x',3); log.debug('no'); log.warning('w'); log.error('e',extra={'k':1})
print(log.isEnabledFor(10), logging.getLevelName(20), log.level, log.handlers, log)
logging.basicConfig(level=logging.DEBUG,format='%(message)s',stream=sys.stdout,force=True); logging.getLogger('z').debug('root %(a)s',{'a':1})
pprint.pprint({'b':[1]*3,'a':{'x':'y'*50,'z':'w'*50}}); pprint.pprint(list(range(40)),width=40,compact=True)
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always'); warnings.warn('careful',UserWarning); print(len(w), w[0].message, w[0].category.__name__)
print(uuid.UUID('12345678123456781234567812345678'), uuid.uuid5(uuid.NAMESPACE_DNS,'a'), len(str(uuid.uuid4())))
print(os.environ.get('NOPE','d'), os.getcwd()==str(pathlib.Path.cwd()), os.sep, os.linesep, sys.version_info[:2], sys.platform, sys.maxsize, sys.byteorder)
def rec():
    try: {}['k']
    except KeyError as e: raise RuntimeError('wrapped') from e
try: rec()
except RuntimeError as e: print(traceback.format_exception_only(e), repr(e.__cause__), len(traceback.format_exc())>50, traceback.extract_tb(e.__traceback__)[-1].name)
