import { fileAddress } from '#domain/campaign/content/file-addresses'
import type { StoredLogo } from './customization-queries.ts'

/** Addresses of uploaded logos: until the form is saved, a logo's plain address is closed. */
const uploaded = new Map<string, string>()

export function rememberLogo(logo: StoredLogo): StoredLogo {
  uploaded.set(logo.file_id, logo.file_url)
  return logo
}

export const logoAddress = (fileId: string): string => uploaded.get(fileId) ?? fileAddress(fileId)
