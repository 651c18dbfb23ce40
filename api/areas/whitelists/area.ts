import { WHITELIST_ENDPOINTS } from '#contract/whitelists'
import { createWhitelists } from '#platform/whitelists/whitelists'
import type { Area } from '../area.ts'
import { registerWhitelistRoutes } from './whitelist-routes.ts'

export const whitelists: Area = {
  name: 'whitelists',
  summary: 'Lists of allowed apps and sites, of accounts and of campaigns',
  endpoints: WHITELIST_ENDPOINTS,
  register: (app, kit) => registerWhitelistRoutes(app, kit, createWhitelists(kit.db)),
}
