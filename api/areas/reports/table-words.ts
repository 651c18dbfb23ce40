import type { Exchange } from '#domain/campaign/content/options'
import type { Language } from '#domain/kit/languages'
import type { Metric } from '#domain/reports/figures'
import type { TableGrouping } from '#domain/reports/groupings'

type Words = Readonly<Record<Language, string>>

/** Names of the columns of a report, as the application shows them. */
export const METRIC_WORDS: Readonly<Record<Metric, Words>> = {
  impressions: { en: 'Impressions', ru: 'Показы' },
  cpm: { en: 'CPM', ru: 'CPM' },
  clicks: { en: 'Clicks', ru: 'Клики' },
  cpc: { en: 'CPC', ru: 'CPC' },
  ctr: { en: 'CTR', ru: 'CTR' },
  conversions: { en: 'Conversions', ru: 'Конверсии' },
  cpa: { en: 'CPA', ru: 'CPA' },
  cvr: { en: 'CVR', ru: 'CVR' },
  spent: { en: 'Spend', ru: 'Расход' },
  reach: { en: 'Reach (sum of reported)', ru: 'Охват (сумма сообщённых)' },
  bids: { en: 'Bids', ru: 'Ставки' },
  win_rate: { en: 'Win rate', ru: 'Доля выигрышей' },
  unique_conversions: { en: 'Unique conversions', ru: 'Уникальные конверсии' },
  conversions_unique_bid: { en: 'Conversions by unique bid', ru: 'Конверсии по уникальным ставкам' },
  unconfirmed_conversions: { en: 'Unconfirmed conversions', ru: 'Неподтверждённые конверсии' },
  bounces: { en: 'Bounces', ru: 'Отказы' },
  bounce_rate: { en: 'Bounce rate', ru: 'Доля отказов' },
  engagements: { en: 'Engagements', ru: 'Вовлечения' },
  engagement_rate: { en: 'Engagement rate', ru: 'Доля вовлечений' },
  completed_views: { en: 'Completed views', ru: 'Полные просмотры' },
  cpcv: { en: 'CPCv', ru: 'CPCv' },
}

export const GROUPING_WORDS: Readonly<Record<TableGrouping, Words>> = {
  campaign: { en: 'Campaign', ru: 'Кампания' },
  platforms: { en: 'Device kind', ru: 'Тип устройства' },
  publishers: { en: 'Publisher', ru: 'Издатель' },
  device_os: { en: 'Device OS', ru: 'ОС устройства' },
  app_or_site: { en: 'App or site', ru: 'Приложение или сайт' },
  size: { en: 'Banner size', ru: 'Размер баннера' },
  creative: { en: 'Creative', ru: 'Креатив' },
  exchange: { en: 'Exchange', ru: 'Биржа' },
  advertiser: { en: 'Advertiser', ru: 'Рекламодатель' },
  country: { en: 'Country', ru: 'Страна' },
  region: { en: 'Region', ru: 'Регион' },
  city: { en: 'City', ru: 'Город' },
  year: { en: 'Year', ru: 'Год' },
  quarter: { en: 'Quarter', ru: 'Квартал' },
  month: { en: 'Month', ru: 'Месяц' },
  week: { en: 'Week', ru: 'Неделя' },
  day: { en: 'Day', ru: 'День' },
  day_of_week: { en: 'Day of week', ru: 'День недели' },
  hour: { en: 'Hour of day', ru: 'Час суток' },
  date_hour: { en: 'Hour', ru: 'Час' },
}

/** Device kinds of reports by their keys. */
export const DEVICE_WORDS: Readonly<Record<string, Words>> = {
  2: { en: 'Desktop', ru: 'Компьютеры' },
  3: { en: 'Mobile', ru: 'Телефоны' },
  5: { en: 'Android', ru: 'Android' },
  8: { en: 'Desktop, others', ru: 'Компьютеры, прочие' },
  9: { en: 'Mobile, others', ru: 'Телефоны, прочие' },
}

/** Exchanges, as screens name them in every language. */
export const EXCHANGE_NAMES: Readonly<Record<string, string>> = {
  google: 'Google AdX',
  verve: 'Verve Group',
  taboola: 'Taboola',
  yandex: 'Yandex Ad Exchange',
  '3rdpresence': '3rd Presence',
} satisfies Readonly<Record<Exchange, string>>

/** Words of a file beside its figures. */
export const FILE_WORDS = {
  unnamed: { en: '(not reported)', ru: '(не указано)' },
  id: { en: 'Id', ru: 'Id' },
  currency: { en: 'Currency', ru: 'Валюта' },
  sheet: { en: 'Report', ru: 'Отчёт' },
} as const satisfies Readonly<Record<string, Words>>

/** The last line of a file that does not hold all rows. */
export const leftOutText = (shown: number, all: number, language: Language): string =>
  language === 'ru' ? `Строки с наибольшим расходом: ${shown} из ${all}.` : `The ${shown} rows with the most spend, of ${all}.`
