import { zipSync } from 'fflate'

const PAGE = '<!doctype html><title>Banner</title><a href="javascript:window.open(window.clickTag)"><img src="picture.svg"></a>'

/** A banner as common tools pack it. Contains a page and an image by default; files by path. */
export function bannerZip(options: { readonly files?: Readonly<Record<string, Buffer | string>> } = {}): Buffer {
  const { files = { 'index.html': PAGE, 'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' } } = options
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes)]))))
}
