import { apiKeyCreated } from '#commands/identity/mails/api-key-created'
import { apiKeyEnding } from '#commands/identity/mails/api-key-ending'
import { mailEndingKeys } from '#commands/identity/ending-keys'
import { API_KEY_ENDPOINTS } from '#contract/api-keys'
import { createEndingApiKeys } from '#platform/identity/ending-keys'
import { area } from '#api/areas/area'
import { registerApiKeyRoutes } from './api-key-routes.ts'

export const apiKeys = area({
  name: 'api-keys',
  summary: "The signed-in user's API keys",
  endpoints: API_KEY_ENDPOINTS,
  uses: ['apiKeys', 'db', 'limits', 'people', 'queueMail', 'secondFactor', 'security', 'whiteLabels'],
  tables: ['identity.api_keys'],
  mails: { 'api-key-created': apiKeyCreated, 'api-key-ending': apiKeyEnding },
  register: registerApiKeyRoutes,
  policies: async (kit) => [mailEndingKeys({ ...kit, keys: createEndingApiKeys(kit.db) })],
})
