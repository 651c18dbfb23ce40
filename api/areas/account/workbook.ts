import { type Language } from '#domain/kit/languages'
import type { AccountRecord } from '#contract/accounts'
import { sheetOf } from '#api/http/workbook'
import type { CellValue, Sheet } from '#platform/threads/workbook'

type Column = {
  readonly en: string
  readonly ru: string
  readonly width: number
  readonly value: (account: AccountRecord) => CellValue
}

const STATES: Readonly<Record<Language, Readonly<Record<number, string>>>> = {
  en: { 1: 'Needs verification', 2: 'Approved', 3: 'Rejected', 5: 'Active' },
  ru: { 1: 'Ждёт проверки', 2: 'Одобрен', 3: 'Отклонён', 5: 'Активен' },
}
const SUSPENDED = { en: 'Suspended', ru: 'Приостановлен' } as const

const COLUMNS: readonly Column[] = [
  { en: 'Account', ru: 'Аккаунт', width: 28, value: (a) => a.space_name },
  { en: 'First name', ru: 'Имя', width: 16, value: (a) => a.first_name },
  { en: 'Last name', ru: 'Фамилия', width: 16, value: (a) => a.last_name },
  { en: 'Email', ru: 'Электронная почта', width: 28, value: (a) => a.email },
  { en: 'Phone', ru: 'Телефон', width: 18, value: (a) => a.phone },
  { en: 'Country', ru: 'Страна', width: 9, value: (a) => a.country },
  { en: 'Currency', ru: 'Валюта', width: 9, value: (a) => a.currency },
  { en: 'Balance', ru: 'Баланс', width: 14, value: (a) => a.balance },
  { en: 'Credit limit', ru: 'Кредитный лимит', width: 14, value: (a) => a.credit_limit },
  { en: 'Spent', ru: 'Потрачено', width: 14, value: (a) => a.spent },
  { en: 'Campaigns', ru: 'Кампании', width: 11, value: (a) => a.campaigns },
  { en: 'Created', ru: 'Создан', width: 12, value: (a) => a.created_at.slice(0, 10) },
  { en: 'Account id', ru: 'Id аккаунта', width: 38, value: (a) => a.space_id },
]

const STATUS = { en: 'Status', ru: 'Статус', width: 18 }

const statusOf = ({ suspended, status_key }: AccountRecord, language: Language) =>
  suspended ? SUSPENDED[language] : (STATES[language][status_key ?? 5] ?? '')

/** Accounts as a sheet with a header row. */
export const accountsSheet = (accounts: Iterable<AccountRecord>, language: Language): Sheet =>
  sheetOf({
    name: language === 'ru' ? 'Аккаунты' : 'Accounts',
    columns: [...COLUMNS, STATUS].map((column) => ({ title: column[language], width: column.width })),
    rows: rowsOf(accounts, language),
  })

function* rowsOf(accounts: Iterable<AccountRecord>, language: Language): Generator<readonly CellValue[]> {
  for (const account of accounts) yield [...COLUMNS.map(({ value }) => value(account)), statusOf(account, language)]
}
