import {
  ACCOUNT_HISTORY,
  ACCOUNT_LEDGER,
  ACCOUNT_STREAMS,
  ACCOUNTS,
  applyAccounts,
  createAccountsTables,
  indexAccountsTable,
} from './account/accounts.ts'
import {
  applyAudiences,
  AUDIENCE_VERSIONS,
  AUDIENCES,
  createAudiencesTables,
  indexAudiencesTable,
  isOfAudience,
} from './audience/audiences.ts'
import {
  applyInvoices,
  createInvoiceTables,
  indexInvoiceTables,
  INVOICE_HISTORY,
  INVOICE_LINES,
  INVOICES,
  isOfInvoice,
} from './invoice/invoices.ts'
import { CONTENT_SIZE } from '#domain/campaign/content/whole'
import { isOfCampaign } from './campaign/fold-rows.ts'
import { applyCampaignList } from './campaign/list/apply.ts'
import { CAMPAIGN_LIST, CAMPAIGN_STATES, createCampaignListTables, indexCampaignListTable } from './campaign/list/tables.ts'
import { applyCampaignRevisions } from './campaign/revisions/apply.ts'
import { CAMPAIGN_REVISIONS, CAMPAIGN_REVISION_HEADS, createCampaignRevisionsTables } from './campaign/revisions/tables.ts'
import {
  applyModerationQueue,
  changesQueue,
  createModerationQueueTable,
  indexModerationQueueTable,
  MODERATION_QUEUE,
} from './campaign/queue/moderation-queue.ts'
import {
  ACCOUNT_CARDS,
  applyPayments,
  AUTO_REFILLS,
  concernsPayments,
  createPaymentsTables,
  indexPaymentsTables,
  PAYMENTS,
} from './payment/payments.ts'
import type { ReadModel, Tables } from './projector/read-model.ts'
import {
  applyRegistrations,
  createRegistrationsTable,
  indexRegistrationsTable,
  isOfRegistration,
  REGISTRATIONS,
} from './registration/registrations.ts'
import { applyWhiteLabels, changesWhiteLabels, createWhiteLabelsTable, WHITE_LABELS } from './white-label/white-labels.ts'

const name = (tables: Tables, base: string): string => {
  const table = tables[base]
  if (table === undefined) throw new Error(`the projection has no table ${base}`)
  return table
}

const accountTables = (tables: Tables) => ({
  accounts: name(tables, ACCOUNTS),
  ledger: name(tables, ACCOUNT_LEDGER),
  history: name(tables, ACCOUNT_HISTORY),
})

const audienceTables = (tables: Tables) => ({ audiences: name(tables, AUDIENCES), versions: name(tables, AUDIENCE_VERSIONS) })
const paymentTables = (tables: Tables) => ({
  payments: name(tables, PAYMENTS),
  cards: name(tables, ACCOUNT_CARDS),
  autoRefills: name(tables, AUTO_REFILLS),
})

const invoiceTables = (tables: Tables) => ({
  invoices: name(tables, INVOICES),
  lines: name(tables, INVOICE_LINES),
  history: name(tables, INVOICE_HISTORY),
})

const listTables = (tables: Tables) => ({ list: name(tables, CAMPAIGN_LIST), states: name(tables, CAMPAIGN_STATES) })

const revisionTables = (tables: Tables) => ({
  revisions: name(tables, CAMPAIGN_REVISIONS),
  heads: name(tables, CAMPAIGN_REVISION_HEADS),
})

/** Version of a read model whose rows hold the content of campaigns: a new field raises it, so that every row gets the field. */
const withContent = (version: number): number => version * 10_000 + CONTENT_SIZE

/** Every read model of the product. */
export const READ_MODELS: readonly ReadModel[] = [
  {
    name: 'accounts',
    version: 6,
    tables: [ACCOUNTS, ACCOUNT_LEDGER, ACCOUNT_HISTORY],
    concerns: ({ stream }) => stream.startsWith(ACCOUNT_STREAMS),
    create: (db, tables) => createAccountsTables(db, accountTables(tables)),
    index: (db, tables) => indexAccountsTable(db, accountTables(tables)),
    onFailure: 'park',
    apply: (db, tables, events) => applyAccounts(db, accountTables(tables), events),
  },
  {
    name: 'audiences',
    version: 1,
    tables: [AUDIENCES, AUDIENCE_VERSIONS],
    concerns: isOfAudience,
    create: (db, tables) => createAudiencesTables(db, audienceTables(tables)),
    index: (db, tables) => indexAudiencesTable(db, audienceTables(tables)),
    onFailure: 'park',
    apply: (db, tables, events) => applyAudiences(db, audienceTables(tables), events),
  },
  {
    name: 'campaign-list',
    version: withContent(9),
    tables: [CAMPAIGN_LIST, CAMPAIGN_STATES],
    concerns: isOfCampaign,
    create: (db, tables) => createCampaignListTables(db, listTables(tables)),
    index: (db, tables) => indexCampaignListTable(db, name(tables, CAMPAIGN_LIST)),
    onFailure: 'park',
    apply: (db, tables, events, memory) => applyCampaignList(db, listTables(tables), events, memory),
  },
  {
    name: 'campaign-revisions',
    version: withContent(6),
    tables: [CAMPAIGN_REVISIONS, CAMPAIGN_REVISION_HEADS],
    concerns: isOfCampaign,
    create: (db, tables) =>
      createCampaignRevisionsTables(db, name(tables, CAMPAIGN_REVISIONS), name(tables, CAMPAIGN_REVISION_HEADS)),
    onFailure: 'park',
    apply: (db, tables, events, memory) => applyCampaignRevisions(db, revisionTables(tables), events, memory),
  },
  {
    name: 'invoices',
    version: 2,
    tables: [INVOICES, INVOICE_LINES, INVOICE_HISTORY],
    concerns: isOfInvoice,
    create: (db, tables) => createInvoiceTables(db, invoiceTables(tables)),
    index: (db, tables) => indexInvoiceTables(db, invoiceTables(tables)),
    onFailure: 'park',
    apply: (db, tables, events) => applyInvoices(db, invoiceTables(tables), events),
  },
  {
    name: 'moderation-queue',
    version: 3,
    tables: [MODERATION_QUEUE],
    concerns: changesQueue,
    create: (db, tables) => createModerationQueueTable(db, name(tables, MODERATION_QUEUE)),
    index: (db, tables) => indexModerationQueueTable(db, name(tables, MODERATION_QUEUE)),
    onFailure: 'park',
    apply: (db, tables, events, memory) => applyModerationQueue(db, name(tables, MODERATION_QUEUE), events, memory),
  },
  {
    name: 'payments',
    version: 1,
    tables: [PAYMENTS, ACCOUNT_CARDS, AUTO_REFILLS],
    concerns: concernsPayments,
    create: (db, tables) => createPaymentsTables(db, paymentTables(tables)),
    index: (db, tables) => indexPaymentsTables(db, paymentTables(tables)),
    onFailure: 'park',
    apply: (db, tables, events) => applyPayments(db, paymentTables(tables), events),
  },
  {
    name: 'registrations',
    version: 1,
    tables: [REGISTRATIONS],
    concerns: isOfRegistration,
    create: (db, tables) => createRegistrationsTable(db, name(tables, REGISTRATIONS)),
    index: (db, tables) => indexRegistrationsTable(db, name(tables, REGISTRATIONS)),
    onFailure: 'park',
    apply: (db, tables, events) => applyRegistrations(db, name(tables, REGISTRATIONS), events),
  },
  {
    name: 'white-labels',
    version: 1,
    tables: [WHITE_LABELS],
    concerns: changesWhiteLabels,
    create: (db, tables) => createWhiteLabelsTable(db, name(tables, WHITE_LABELS)),
    onFailure: 'park',
    apply: (db, tables, events) => applyWhiteLabels(db, name(tables, WHITE_LABELS), events),
  },
]
