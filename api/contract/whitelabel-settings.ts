import { endpoint, position } from './http.ts'
import { z } from './zod.ts'

const settings = z.object({
  own_approval: z
    .boolean()
    .check(z.describe('People may approve submissions that they made or submitted themselves; off by default')),
})

export const readSettings = endpoint({
  id: 'whitelabel.settings',
  method: 'GET',
  path: '/v1/whitelabel/settings',
  access: 'whitelabel.customise',
  summary: "Settings of the caller's white-label",
  output: settings,
  reads: [],
})

export const saveSettings = endpoint({
  id: 'whitelabel.saveSettings',
  reads: [],
  method: 'PUT',
  path: '/v1/whitelabel/settings',
  access: 'whitelabel.customise',
  summary: "Save the settings of the caller's white-label",
  body: 'json',
  input: settings,
  output: z.extend(settings, { position }),
  write: true,
})

export const SETTINGS_ENDPOINTS = [readSettings, saveSettings]
