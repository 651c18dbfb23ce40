import {
  ACCOUNTS,
  ACCOUNT_HISTORY,
  ACCOUNT_LEDGER,
  applyAccounts,
  createAccountsTables,
  indexAccountsTables,
  MONEY_STREAMS,
} from './accounts.ts'
import { loadAccounts } from './load.ts'
import { tableOf, type ReadModel, type Tables } from '../projector/read-model.ts'

const accountTables = (tables: Tables) => ({
  accounts: tableOf(tables, ACCOUNTS),
  ledger: tableOf(tables, ACCOUNT_LEDGER),
  history: tableOf(tables, ACCOUNT_HISTORY),
})

export const accounts: ReadModel = {
  name: 'accounts',
  version: 9,
  tables: [ACCOUNTS, ACCOUNT_LEDGER, ACCOUNT_HISTORY],
  concerns: ({ stream }) => MONEY_STREAMS.some((prefix) => stream.startsWith(prefix)),
  create: (db, tables) => createAccountsTables(db, accountTables(tables)),
  index: (db, tables) => indexAccountsTables(db, accountTables(tables)),
  onFailure: 'park',
  apply: (db, tables, events) => applyAccounts(db, accountTables(tables), events),
  load: (tables) => loadAccounts(accountTables(tables)),
}
