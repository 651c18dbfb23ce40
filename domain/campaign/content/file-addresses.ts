/**
 * Addresses of stored files. Without a token they serve only what a review approved. A token opens any file for a short time: answers
 * of the API carry one for those who may read the file (fine print 72).
 */

/** The address that serves a stored file. */
export const fileAddress = (fileId: string, token: string | null = null): string =>
  `/v1/file/cache/${encodeURIComponent(fileId)}${token === null ? '' : `?token=${token}`}`

/** Where an HTML banner plays. The token is a folder, so that relative addresses in the banner keep it. */
export const bannerAddress = (fileId: string, token: string | null = null): string =>
  `/v1/file/banner/${encodeURIComponent(fileId)}/${token === null ? '' : `${TOKEN_MARK}${token}/`}index.html`

/** Where the HTML banner plays whose file has this address. */
export function bannerAddressOf(address: string): string | null {
  const found = /^\/v1\/file\/cache\/([^/?]+)(?:\?token=([\w.-]+))?$/.exec(address)
  return found?.[1] === undefined ? null : bannerAddress(decodeURIComponent(found[1]), found[2] ?? null)
}

const TOKEN_MARK = '~'

/** Splits the path below a banner's folder into the token, if there is one, and the path of the file. */
export function bannerPath(path: string): { readonly token: string | null; readonly entry: string } {
  const found = /^~([\w.-]+)\/(.*)$/s.exec(path)
  return found === null ? { token: null, entry: path } : { token: found[1] ?? null, entry: found[2] ?? '' }
}

/** The same address without its token: two addresses of one file are equal in it. */
export const withoutToken = (address: string): string => address.replace(/^(\/v1\/file\/cache\/[^/?]+)\?token=[\w.-]+$/, '$1')
