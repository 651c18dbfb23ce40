import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { fuzz } from './fuzz.ts'
import type { Target } from './world.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 2026)

/** They take secrets or ids that only their user has; profile.spec.ts has them. */
const NOT_REACHED = [
  // Cards need a setup that the provider confirmed, and webhooks its signature; payments.spec.ts and stripe.spec.ts have them.
  'card.add',
  'card.remove',
  'card.default',
  'refill.make',
  'refill.get',
  'refill.testConfirmation',
  'payment.webhook',
  'profile.changePassword',
  'profile.endSession',
  'profile.confirmSecondFactor',
  'profile.renewRecoveryCodes',
  'profile.removeSecondFactor',
  'profile.revokeApiKey',
  'profile.rotateApiKey',
  'profile.ownData',
  // Their days are not the numbers of `from` and `to` elsewhere; review-statistics.spec.ts has them.
  'moderation.statistics',
  'moderation.statisticsCsv',
  // It needs an approval of the sample, which is drawn later; second-looks.spec.ts has it.
  'moderation.takeSecondLook',
  // They need a job that failed, or a parked stream; operations.spec.ts has them.
  'operations.retryJob',
  'operations.discardJob',
  'operations.retryParked',
  // They need the answer of a device, or the id of a passkey; passkeys.spec.ts has them.
  'profile.addPasskey',
  'profile.renamePasskey',
  'profile.removePasskey',
  'profile.proveByPasskey',
  'session.signInByPasskey',
  // They need a provider, its answer, or a domain with a record; single-sign-on.spec.ts has them.
  'session.startSignOn',
  'session.finishSignOn',
  'session.redeemSignOn',
  'session.endSignOn',
  'signOn.addProvider',
  'signOn.changeProvider',
  'signOn.removeProvider',
  'signOn.checkProvider',
  'signOn.addDomain',
  'signOn.verifyDomain',
  'signOn.changeDomain',
  'signOn.removeDomain',
  // Directories alone reach them, with a token that a white-label has two of at most; scim.spec.ts has them.
  'scim.config',
  'scim.resourceTypes',
  'scim.schemas',
  'scim.users',
  'scim.user',
  'scim.createUser',
  'scim.replaceUser',
  'scim.patchUser',
  'scim.deleteUser',
  'scim.groups',
  'scim.group',
  'scim.replaceGroup',
  'scim.patchGroup',
  'scim.withdrawToken',
  'scim.createToken',
  // Reached by the user who saved the report alone: saved-reports.spec.ts.
  'reports.changeSaved',
  'reports.removeSaved',
  // They need a view of the caller; views.spec.ts has them.
  'view.change',
  'view.remove',
  'view.restore',
  // They need a label of the caller's account; labels.spec.ts has them.
  'label.change',
  'label.remove',
  // They need a change that waits; schedule.spec.ts has them.
  'schedule.change',
  'schedule.cancel',
  'profile.picture',
  // Keys are in mails, no demo user has a registration, and sign-ups are carried out later; registration.spec.ts has them.
  'registration.submit',
  'account.add',
  'registration.verify',
  'registration.complete',
  'registration.get',
  'registration.approve',
  'registration.reject',
  'registration.resend',
  'password.resetFinish',
  // They need an invoice, and most of them its charges, which the run does not deliver; invoices.spec.ts has them.
  'invoice.send',
  'invoice.logPayment',
  'invoice.payManually',
  'invoice.confirmPayment',
  'invoice.rejectPayment',
  'invoice.void',
  'invoice.credit',
  'invoice.transactions',
  'invoice.get',
  'invoice.save',
  'invoice.delete',
  'invoice.pdf',
  'invoice.csv',
  'invoice.xlsx',
  'invoice.ubl',
  'invoice.line',
  // They need money by hand that waits for a second person; invoices.spec.ts has them.
  'approval.confirm',
  'approval.reject',
  // It needs the id of an event, or the sizes of two signed heads; transparency-log.spec.ts has it.
  'audit.proof',
  // It needs a hundred members, and a campaign that serves with them; served-audiences.spec.ts has it.
  'delivery.audienceMembers',
  // They change the users of the run; team.spec.ts has them.
  'team.invite',
  'team.resend',
  'team.withdraw',
  'team.roles',
  'team.grantRight',
  'team.takeRight',
  'team.deactivate',
  'team.signOut',
  'team.resetFactor',
  'team.reactivate',
  'team.handOver',
  // It needs a person with a link; second-person-keys.spec.ts has it.
  'team.freeSignOn',
  // They need an invitation; memberships.spec.ts has them.
  'team.accept',
  'team.decline',
  // It needs an account whose users the run can do without; accounts.spec.ts has it.
  'account.suspend',
]

let product: TestProduct
let target: Target
beforeAll(async () => {
  // Built-in exchanges would append decisions while requests are checked by what they stored.
  product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
  const { base, dataDir, as, database } = product
  target = {
    base,
    dataDir,
    as,
    query: async <Row extends object>(text: string, values: readonly unknown[]) =>
      (await database.pool.query<Row>(text, [...values])).rows,
  }
})
afterAll(() => product.stop())

it('answers every random request of every role correctly, and reaches every call successfully', async () => {
  const result = await fuzz({ product: target, requests: 4000, seed, unreachable: NOT_REACHED })
  expect(result.faults.map(({ text }) => text)).toEqual([])
  // A generator whose requests are all refused would test nothing.
  const refusedOnly = Object.entries(result.byOperation)
    .filter(([, counts]) => !Object.keys(counts).some((status) => Number(status) < 400))
    .map(([id]) => id)
  expect(refusedOnly.filter((id) => !NOT_REACHED.includes(id))).toEqual([])
}, 480_000)
