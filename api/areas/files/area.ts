import { reviewedFiles } from '#domain/campaign/review/served-content'
import { recentlyApproved } from '#projections/campaign/list/state-queries'
import { FILE_ENDPOINTS } from '#contract/files'
import { area } from '../area.ts'
import type { Own } from '#api/areas/services'
import { registerFileRoutes } from './file-routes.ts'
import { registerLibraryRoutes } from './library-routes.ts'

const DAY_MS = 86_400_000
const CHECKED_AT_ONCE = 5000

export const files = area({
  name: 'files',
  summary: 'Uploads, the files that they leave, and the library of them',
  endpoints: FILE_ENDPOINTS,
  uses: ['accounts', 'db', 'files', 'media', 'whiteLabels'],
  tables: ['app.blob_garbage', 'app.file_blobs', 'app.file_grants', 'app.file_purge', 'app.files'],
  register(app, kit) {
    registerFileRoutes(app, kit)
    registerLibraryRoutes(app, kit)
  },
  async housekeeping(kit) {
    await openReviewed(kit)
    await kit.files.purge()
  },
})

/** Opens files whose approval or branding was stored by a process that ended right after it. */
async function openReviewed({ db, files: stored, now, whiteLabels }: Own<'db' | 'files' | 'whiteLabels'>): Promise<void> {
  const since = new Date(Date.parse(now()) - DAY_MS).toISOString()
  const approved = await recentlyApproved(db, since, CHECKED_AT_ONCE)
  const logos = whiteLabels.all().flatMap(({ logo_file_id: id }) => id ?? [])
  await stored.review([...new Set([...approved.flatMap(reviewedFiles), ...logos])])
}
