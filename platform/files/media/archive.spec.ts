import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bannerZip } from '#test/support/media/banner-zip'
import { zip, type ZipEntry } from '#test/support/media/zip'
import { inspectBannerZip } from './archive.ts'
import { processorMs } from '#test/support/processor'

const INDEX: ZipEntry = { path: 'index.html', bytes: '<!doctype html><title>Banner</title>' }
const MIB = 1024 * 1024

const files = (count: number, entry: (n: number) => ZipEntry) => Array.from({ length: count }, (_, n) => entry(n))
const withIndex = (...entries: readonly ZipEntry[]): Buffer => zip([INDEX, ...entries])
const linksOf = async (page: string): Promise<boolean | null> => {
  const found = await inspectBannerZip(bannerZip({ files: { 'index.html': page } }))
  return 'fault' in found ? null : found.clickLinks
}

describe('a banner archive', () => {
  it('unpacks to its files', async () => {
    expect(await inspectBannerZip(bannerZip({ files: { 'index.html': 'page', 'img/a.png': 'picture' } }))).toEqual({
      files: [
        { path: 'index.html', bytes: Buffer.from('page') },
        { path: 'img/a.png', bytes: Buffer.from('picture') },
      ],
      unpackedBytes: 11,
      clickLinks: false,
      externalHosts: [],
    })
  })

  it.each<[string, string, readonly ZipEntry[]]>([
    ['thirty paths of 64,000 characters', 'unsafePath', files(30, (n) => ({ path: `${'a/'.repeat(32_000)}${n}.js`, bytes: '' }))],
    ['a path of 501 characters', 'unsafePath', [{ path: `${'a'.repeat(498)}.js`, bytes: '' }]],
    ['a path of 33 names', 'unsafePath', [{ path: `${'a/'.repeat(32)}a.js`, bytes: '' }]],
    ['pages of more than 2 MiB together', 'tooLarge', files(9, (n) => ({ path: `${n}.html`, bytes: '<a x>'.repeat(50_000) }))],
  ])('a banner archive is refused at once with %s', async (_, fault, entries) => {
    const bytes = withIndex(...entries)
    const began = processorMs()
    expect(await inspectBannerZip(bytes)).toMatchObject({ fault })
    expect(processorMs() - began).toBeLessThan(1500)
  })

  it.each([
    ['of attributes', `<a${' x'.repeat(1_000_000)}>`],
    ['of links', '<a x>'.repeat(400_000)],
    ['of references', `<a href="${'&#x0000'.repeat(290_000)}">`],
  ])('a banner archive with a page of 2 MiB %s does not stop other work for long', async (_, page) => {
    const bytes = zip([{ ...INDEX, bytes: page, isStored: true }])
    const began = processorMs()
    expect(await inspectBannerZip(bytes)).toMatchObject({ clickLinks: false })
    expect(processorMs() - began).toBeLessThan(1500)
  })

  it('a banner archive may have paths of 500 characters and 32 names', async () => {
    const paths = [`${'a'.repeat(497)}.js`, `${'a/'.repeat(31)}a.js`]
    expect(await inspectBannerZip(withIndex(...paths.map((path) => ({ path, bytes: '' }))))).toMatchObject({
      files: [{ path: 'index.html' }, ...paths.map((path) => ({ path }))],
    })
  })

  it('contains no folders and no files that macOS and Windows add', async () => {
    const bytes = withIndex(
      { path: 'img/', bytes: '', isStored: true },
      { path: 'img/a.svg', bytes: '<svg/>' },
      { path: '__MACOSX/._index.html', bytes: 'x' },
      { path: 'img/.DS_Store', bytes: 'x' },
      { path: 'img/Thumbs.db', bytes: 'x' },
      { path: 'ehthumbs.db', bytes: 'x' },
      { path: 'Desktop.ini', bytes: 'x' },
    )

    const found = await inspectBannerZip(bytes)

    expect('files' in found && found.files.map(({ path }) => path)).toEqual(['index.html', 'img/a.svg'])
  })

  it('keeps file names outside the Latin alphabet', async () => {
    const found = await inspectBannerZip(withIndex({ path: 'картинка.png', bytes: 'x' }))

    expect('files' in found && found.files[1]?.path).toBe('картинка.png')
  })

  it('a banner archive may have a comment', async () => {
    expect(await inspectBannerZip(zip([INDEX], 'made by hand'))).toHaveProperty('files')
  })

  it('a banner archive of ten megabytes is unpacked fast', async () => {
    const files = { 'index.html': 'page', 'a.png': randomBytes(5 * MIB), 'b.mp4': randomBytes(5 * MIB) }
    const bytes = bannerZip({ files })
    const began = processorMs()

    expect(await inspectBannerZip(bytes)).toMatchObject({ unpackedBytes: 10 * MIB + 4 })
    expect(processorMs() - began).toBeLessThan(4000)
  })
})

describe('reading a banner archive', () => {
  const whole = bannerZip()
  const many = Array.from({ length: 500 }, (_, index) => ({ path: `${index}.txt`, bytes: '' }))
  const elevenTimesFive = Array.from({ length: 11 }, (_, index) => ({
    path: `${index}.png`,
    bytes: Buffer.alloc(5 * MIB),
    isStored: true,
  }))

  it.each([
    ['an empty file', Buffer.alloc(0), 'notAZip'],
    ['text', Buffer.from('no archive in here'), 'notAZip'],
    ['an archive without its end', whole.subarray(0, whole.length - 30), 'notAZip'],
    ['an empty archive', zip([]), 'noIndex'],
    ['index.html inside a folder', zip([{ path: 'banner/index.html', bytes: 'x' }]), 'noIndex'],
    ['Index.html in capitals', zip([{ path: 'Index.html', bytes: 'x' }]), 'noIndex'],
    ['more than 500 entries', withIndex(...many), 'tooManyEntries'],
    ['more than 50 MiB unpacked', withIndex(...elevenTimesFive), 'tooLarge'],
    ['a zip bomb', withIndex({ path: 'a.txt', bytes: Buffer.alloc(20 * MIB) }), 'suspiciousRatio'],
    ['a path with ../', withIndex({ path: '../a.txt', bytes: 'x' }), 'unsafePath'],
    ['a path with ../ in the middle', withIndex({ path: 'a/../../b.txt', bytes: 'x' }), 'unsafePath'],
    ['an absolute path', withIndex({ path: '/etc/a.txt', bytes: 'x' }), 'unsafePath'],
    ['a drive letter', withIndex({ path: 'C:a.txt', bytes: 'x' }), 'unsafePath'],
    ['a backslash', withIndex({ path: 'a\\b.txt', bytes: 'x' }), 'unsafePath'],
    ['a NUL', withIndex({ path: 'a.php\u0000.txt', bytes: 'x' }), 'unsafePath'],
    ['a path without a name', withIndex({ path: '', bytes: 'x' }), 'unsafePath'],
    ['a path with ./', withIndex({ path: './a.txt', bytes: 'x' }), 'unsafePath'],
    ['an unsafe path in macOS metadata', withIndex({ path: '__MACOSX/../../a.txt', bytes: 'x' }), 'unsafePath'],
    ['a symbolic link', withIndex({ path: 'a.txt', bytes: '/etc/passwd', claims: { mode: 0o120777 } }), 'link'],
    ['a device', withIndex({ path: 'a.txt', bytes: '', claims: { mode: 0o060644 } }), 'link'],
    ['encryption', withIndex({ path: 'a.txt', bytes: 'x', claims: { flags: 1 } }), 'encrypted'],
    ['strong encryption', withIndex({ path: 'a.txt', bytes: 'x', claims: { flags: 0x41 } }), 'encrypted'],
    ['another compression method', withIndex({ path: 'a.txt', bytes: 'x', claims: { method: 12 } }), 'unsupported'],
    ['a file twice', withIndex({ path: 'index.html', bytes: 'x' }), 'duplicate'],
    ['two files that differ only in case', withIndex({ path: 'INDEX.html', bytes: 'x' }), 'duplicate'],
    ['a file that is a folder', withIndex({ path: 'index.html/a.txt', bytes: 'x' }), 'duplicate'],
    ['an executable', withIndex({ path: 'a.php', bytes: 'x' }), 'forbiddenFile'],
    ['a file without an extension', withIndex({ path: 'readme', bytes: 'x' }), 'forbiddenFile'],
    ['a nested archive', withIndex({ path: 'a.zip', bytes: whole }), 'forbiddenFile'],
    ['a settings file', withIndex({ path: '.htaccess', bytes: 'x' }), 'forbiddenFile'],
    ['HTML before the archive', Buffer.concat([Buffer.from('<script>alert(1)</script>'), whole]), 'polyglot'],
    ['an image before the archive', Buffer.concat([Buffer.from('GIF89a'), whole]), 'polyglot'],
    ['HTML after the archive', Buffer.concat([whole, Buffer.from('<script>alert(1)</script>')]), 'polyglot'],
    ['HTML as comment', zip([INDEX], '<script>alert(1)</script>'), 'polyglot'],
    ['a wrong checksum', withIndex({ path: 'a.txt', bytes: 'x', claims: { crc32: 1 } }), 'corrupt'],
    [
      'a file longer than its header says',
      withIndex({ path: 'a.txt', bytes: Buffer.alloc(9 * MIB), claims: { unpackedBytes: 9 } }),
      'corrupt',
    ],
    ['a file shorter than its header says', withIndex({ path: 'a.txt', bytes: 'abc', claims: { unpackedBytes: 9 } }), 'corrupt'],
    [
      'a stored file shorter than its header says',
      withIndex({ path: 'a.txt', bytes: 'abc', isStored: true, claims: { unpackedBytes: 9 } }),
      'corrupt',
    ],
    [
      'a stored file marked as deflated',
      withIndex({ path: 'a.txt', bytes: 'abc', isStored: true, claims: { method: 8 } }),
      'corrupt',
    ],
  ])('refuses %s', async (_, bytes, fault) => {
    expect(await inspectBannerZip(bytes)).toMatchObject({ fault })
  })

  it.each([
    ['.gitkeep', 'forbiddenFile', { path: 'img/.gitkeep', bytes: '' }],
    ['LICENSE', 'forbiddenFile', { path: 'LICENSE', bytes: 'x' }],
    ['README.md', 'forbiddenFile', { path: 'README.md', bytes: 'x' }],
    ['a module', 'forbiddenFile', { path: 'js/a.mjs', bytes: 'x' }],
    ['a source of Animate', 'forbiddenFile', { path: 'sale.fla', bytes: 'x' }],
    ['a link', 'link', { path: 'a.txt', bytes: 'x', claims: { mode: 0o120777 } }],
    ['a locked file', 'encrypted', { path: 'a.txt', bytes: 'x', claims: { flags: 1 } }],
    ['an unreadable file', 'unsupported', { path: 'a.txt', bytes: 'x', claims: { method: 12 } }],
    ['a file in two cases', 'duplicate', { path: 'INDEX.html', bytes: 'x' }],
    ['a file that is a folder', 'duplicate', { path: 'index.html/a.txt', bytes: 'x' }],
    ['a damaged file', 'corrupt', { path: 'a.txt', bytes: 'x', claims: { crc32: 1 } }],
    ['a file that leaves its folder', 'unsafePath', { path: '../a.txt', bytes: 'x' }],
    ['a bomb', 'suspiciousRatio', { path: 'a.txt', bytes: Buffer.alloc(20 * MIB) }],
    ['pages that are too large', 'tooLarge', { path: 'a.htm', bytes: '<a x>'.repeat(500_000) }],
  ] as const)('names the file that is the reason: %s', async (_, fault, entry) => {
    expect(await inspectBannerZip(withIndex(entry))).toEqual({ fault, file: entry.path })
  })

  it('refuses more entries than its directory counts', async () => {
    const bytes = withIndex({ path: 'a.txt', bytes: 'x' })
    bytes.writeUInt16LE(1, bytes.length - 12)

    expect(await inspectBannerZip(bytes)).toEqual({ fault: 'corrupt', file: null })
  })

  it('refuses the ZIP64 format', async () => {
    const locator = Buffer.concat([Buffer.from('PK\u0006\u0007'), Buffer.alloc(16, 0xff)])
    const bytes = withIndex()

    expect(await inspectBannerZip(Buffer.concat([bytes.subarray(0, -22), locator, bytes.subarray(-22)]))).toEqual({
      fault: 'unsupported',
      file: null,
    })
  })
})

describe('the links of a banner', () => {
  it.each([
    '<a href="https://example.com">',
    "<A class=x HREF = 'http://example.com/'>",
    '<a href=//example.com>',
    '<a title="a > b" href="https://example.com">',
    '<a href=" &#104;ttps&colon;//example.com">',
    '<a href="ht\ntps://example.com">',
    '<a\nhref="\\\\example.com">',
    '<svg><a xlink:href="https://example.com"/></svg>',
    '<script>if (i<a ) go("it\'s")</script><a href="https://example.com">',
    '<script>window.open("https://example.com")</script>',
    '<div onclick="window . open( \'http://example.com\')">',
  ])('the links of a banner are its own in %s', async (page) => {
    expect(await linksOf(page)).toBe(true)
  })

  it.each([
    '<a href="javascript:window.open(window.clickTag)">',
    '<a href="${clickTag}">',
    '<a href="${CLICK}https://example.com">',
    '<a href="#">',
    '<a href="page.html" title="https://example.com">',
    '<a name="top">',
    '<!-- <a href="https://example.com"> -->',
    '<abbr href="https://example.com">',
    '<link href="https://example.com/a.css">',
    '<script src="https://example.com/a.js"></script>',
    '<script>window.open(clickTag)</script>',
    '<a href="https://example.com',
  ])('the links of a banner are not its own in %s', async (page) => {
    expect(await linksOf(page)).toBe(false)
  })

  it('the links of a banner are searched in every page', async () => {
    const files = { 'index.html': 'x', 'more/second.htm': '<a href="https://example.com">x</a>' }

    expect(await inspectBannerZip(bannerZip({ files }))).toMatchObject({ clickLinks: true })
  })

  it('the links of a banner are found fast in a page built to be slow', async () => {
    const slow = ['<a ', '<!--', '<script>', '<a x="', '<a href ', 'window ', '<a h=>'].map((part) => part.repeat(100_000))
    const began = processorMs()

    for (const page of slow) expect(await linksOf(`${page}${randomBytes(100_000).toString('base64')}`)).toBe(false)
    expect(processorMs() - began).toBeLessThan(6000)
  })

  it.each([
    ['strings', `${' '.repeat(190)}"//a"`],
    ['names', '$a'],
    ['variables', 'open(a.b.c.d.e);'],
    ['exits', 'exit("a","b",'],
    ['assignments', 'location '],
    ['imports', '@import  url( '],
    ['slashes', '"\\/\\/'],
    ['quotes', '"'],
  ])('the links of a banner are found fast in a script of 2 MiB built to be slow, of %s', async (_, part) => {
    const script = part.repeat(Math.floor((2 * MIB) / part.length))
    const bytes = zip([INDEX, { path: 'a.js', bytes: script, isStored: true }, { path: 'a.css', bytes: script, isStored: true }])
    const began = processorMs()
    expect(await inspectBannerZip(bytes)).toMatchObject({ clickLinks: false })
    expect(processorMs() - began).toBeLessThan(3000)
  })
})
