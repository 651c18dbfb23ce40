import type { SecurityEventType } from '#platform/identity/security-log'
import { beginning } from '#domain/kit/text'

/** Calls whose success is a security event: what changes rights, money by hand or settings, and what takes data of many people out. */
export const RECORDED_CALLS: Readonly<Record<string, SecurityEventType>> = {
  'account.settings': 'settings-changed',
  'account.rename': 'settings-changed',
  'account.creditLimit': 'settings-changed',
  'account.legal': 'settings-changed',
  'account.suspend': 'suspended',
  'account.restore': 'restored',
  'account.excel': 'exported',
  'approval.confirm': 'settings-changed',
  'audit.export': 'exported',
  'space.credit': 'credited',
  'space.ledgerCsv': 'exported',
  'invoice.csv': 'exported',
  'invoice.xlsx': 'exported',
  'invoice.ubl': 'exported',
  'invoice.logPayment': 'credited',
  'invoice.credit': 'credited',
  'autoRefill.save': 'settings-changed',
  'signOn.addProvider': 'settings-changed',
  'signOn.changeProvider': 'settings-changed',
  'signOn.removeProvider': 'settings-changed',
  'signOn.addDomain': 'settings-changed',
  'signOn.verifyDomain': 'settings-changed',
  'signOn.changeDomain': 'settings-changed',
  'signOn.removeDomain': 'settings-changed',
  'team.invite': 'people-changed',
  'team.resend': 'people-changed',
  'team.withdraw': 'people-changed',
  'team.roles': 'people-changed',
  'team.grantRight': 'people-changed',
  'team.takeRight': 'people-changed',
  'team.deactivate': 'people-changed',
  'team.signOut': 'people-changed',
  'team.reactivate': 'people-changed',
  'team.freeSignOn': 'people-changed',
  'team.handOver': 'people-changed',
  'webhook.create': 'settings-changed',
  'webhook.change': 'settings-changed',
  'webhook.delete': 'settings-changed',
  'webhook.rotate': 'settings-changed',
  'webhook.replay': 'settings-changed',
  'whitelabel.create': 'settings-changed',
  'whitelabel.save': 'settings-changed',
  'whitelabel.saveSettings': 'settings-changed',
  'whitelabel.suspend': 'suspended',
  'whitelabel.restore': 'restored',
}

/** Longest list of field names in an event, characters. */
const MOST_NAMES = 500

/** The names of the fields of a body, two levels deep; never their values. */
export function fieldsIn(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return ''
  const names = Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
  return beginning(names.join(', '), MOST_NAMES)
}
