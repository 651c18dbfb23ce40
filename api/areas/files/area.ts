import { FILE_ENDPOINTS } from '../../contract/files.ts'
import type { Area } from '../../kit/area.ts'
import { registerFileRoutes } from './file-routes.ts'

export const files: Area = {
  name: 'files',
  summary: 'Uploads, and the files that they leave',
  endpoints: FILE_ENDPOINTS,
  register: registerFileRoutes,
  housekeeping: (kit) => kit.files.purge(),
}
