import { accounts } from './account/read-model.ts'
import { audiences } from './audience/read-model.ts'
import { auditLog } from './audit/read-model.ts'
import { campaignList } from './campaign/list/read-model.ts'
import { campaignRevisions } from './campaign/revisions/read-model.ts'
import { invoices } from './invoice/read-model.ts'
import { moderationQueue } from './campaign/queue/read-model.ts'
import { payments } from './payment/read-model.ts'
import { registrations } from './registration/read-model.ts'
import { whiteLabels } from './white-label/read-model.ts'
import type { ReadModel } from './projector/read-model.ts'
import type { Views } from './projector/table.ts'
import { ACCOUNTS } from './account/accounts.ts'
import { AUDIENCES } from './audience/audiences.ts'
import { AUDIT_LOG } from './audit/tables.ts'
import { CAMPAIGN_LIST } from './campaign/list/tables.ts'
import { MODERATION_QUEUE } from './campaign/queue/moderation-queue.ts'
import { CAMPAIGN_REVISIONS } from './campaign/revisions/tables.ts'
import { INVOICES } from './invoice/invoices.ts'
import { PAYMENTS } from './payment/payments.ts'
import { REGISTRATIONS } from './registration/registrations.ts'
import { WHITE_LABELS } from './white-label/white-labels.ts'

/** Every read model of the product. A new one is its folder and its line here. */
export const READ_MODELS: readonly ReadModel[] = [
  accounts,
  audiences,
  auditLog,
  campaignList,
  campaignRevisions,
  invoices,
  moderationQueue,
  payments,
  registrations,
  whiteLabels,
]

/** Every table of theirs, by base name. */
export const READ_MODEL_TABLES = {
  ...ACCOUNTS,
  ...AUDIENCES,
  ...AUDIT_LOG,
  ...CAMPAIGN_LIST,
  ...CAMPAIGN_REVISIONS,
  ...INVOICES,
  ...MODERATION_QUEUE,
  ...PAYMENTS,
  ...REGISTRATIONS,
  ...WHITE_LABELS,
}

/** Their views `rm_…`, of which the product only reads. */
declare module '#migrations/db' {
  interface Db extends Views<typeof READ_MODEL_TABLES> {}
}
