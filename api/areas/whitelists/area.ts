import { WHITELIST_ENDPOINTS } from '#contract/whitelists'
import { createWhitelists } from '#platform/whitelists/whitelists'
import { area } from '../area.ts'
import { registerWhitelistRoutes } from './whitelist-routes.ts'

export const whitelists = area({
  name: 'whitelists',
  summary: 'Lists of allowed apps and sites, of accounts and of campaigns',
  endpoints: WHITELIST_ENDPOINTS,
  uses: ['accounts', 'campaigns', 'commands.campaigns', 'db'],
  tables: ['app.whitelists'],
  register: (app, kit) => registerWhitelistRoutes(app, kit, createWhitelists(kit.db)),
})
