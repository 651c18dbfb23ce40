import { FILE_ENDPOINTS } from '../../contract/files.ts'
import type { Area } from '../../kit/area.ts'
import { registerFileRoutes } from './file-routes.ts'

/** Uploads, and the files that they leave. */
export const files: Area = {
  name: 'files',
  endpoints: FILE_ENDPOINTS,
  register: registerFileRoutes,
  housekeeping: (kit) => kit.files.purge(),
}
