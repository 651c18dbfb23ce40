import { ownDataDownloaded } from '#commands/identity/mails/second-factor'
import { OWN_DATA_ENDPOINTS } from '#contract/own-data'
import { createOwnData } from '#platform/identity/own-data'
import { area } from '#api/areas/area'
import { registerOwnDataRoutes } from './own-data-routes.ts'

export const ownData = area({
  name: 'own-data',
  summary: 'A copy of what is stored about the signed-in user',
  endpoints: OWN_DATA_ENDPOINTS,
  uses: ['db', 'limits', 'people', 'personal', 'queueMail', 'secondFactor', 'security', 'threads', 'whiteLabels'],
  tables: [],
  mails: { 'own-data-downloaded': ownDataDownloaded },
  register: (app, kit) => registerOwnDataRoutes(app, kit, createOwnData({ db: kit.db, open: kit.personal.open })),
})
