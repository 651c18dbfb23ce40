import { saveFile } from '@/lib/save-file'

/** The link of a help page to the template of an HTML banner. */
export const TEMPLATE = '/help/html-banner.zip'

const PAGES = import.meta.glob<string>('../../../docs/help/html-banner.html', { query: '?raw', import: 'default' })

/** Saves a ZIP with the template, which can be uploaded as it is. */
export async function saveTemplate(): Promise<void> {
  const [{ strToU8, zipSync }, ...pages] = await Promise.all([import('fflate'), ...Object.values(PAGES).map((load) => load())])
  const zip = zipSync({ 'index.html': strToU8(pages.join('')) })
  saveFile(new Blob([new Uint8Array(zip)], { type: 'application/zip' }), 'banner_300x250.zip')
}
