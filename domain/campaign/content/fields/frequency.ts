import { flag, oneOf, optionalNumber, record, texts } from '#domain/kit/fields'

/** Hours of one weekday, '00' to '23'. */
const hours = oneOf(
  texts({ max: 2 }, 24),
  Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
)

/** The tab "Frequency and scheduling" (campaigns.md §3). Weekday 0 is Sunday (decisions G-117). */
export const FREQUENCY = {
  freq_and_scheduling_on: flag(false),
  /** Impressions for each user: 1 a day, 2 a week, 3 a month. */
  frequency_cap: record({ '1': optionalNumber(7), '2': optionalNumber(), '3': optionalNumber() }),
  scheduling: record({ '0': hours, '1': hours, '2': hours, '3': hours, '4': hours, '5': hours, '6': hours }),
}
