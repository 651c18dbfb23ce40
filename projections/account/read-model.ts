import { readModel } from '../projector/read-model.ts'
import { ACCOUNTS, applyAccounts, MONEY_STREAMS } from './accounts.ts'
import { loadAccounts } from './load.ts'

export const accounts = readModel({
  name: 'accounts',
  version: 9,
  tables: ACCOUNTS,
  concerns: ({ stream }) => MONEY_STREAMS.some((prefix) => stream.startsWith(prefix)),
  onFailure: 'park',
  apply: applyAccounts,
  load: loadAccounts,
})
