import type { IdentifierKind } from './identifiers.ts'

/** The kinds of device ids that names of columns tell apart; their values have one shape. */
export const DEVICE_TYPES = ['idfa', 'gaid', 'oaid'] as const
export type DeviceType = (typeof DEVICE_TYPES)[number]

/**
 * Meaning of a column name for its cells. `number`: perhaps phone numbers. `other`: something that may look like a phone number
 * and is none.
 */
export type NameMeaning = { readonly kind: IdentifierKind | 'number' | 'other' | 'none'; readonly device?: DeviceType | null }

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Words without spaces, in lower case; a name in several words is compared without them too. */
const DEVICE_NAMES: Readonly<Record<string, DeviceType | null>> = {
  idfa: 'idfa',
  gaid: 'gaid',
  aaid: 'gaid',
  gpsadid: 'gaid',
  googleadid: 'gaid',
  androidadid: 'gaid',
  googleadvertisingid: 'gaid',
  androidadvertisingid: 'gaid',
  oaid: 'oaid',
  ...Object.fromEntries(
    words(
      `device deviceid deviceids ifa maid maids adid advertisingid advertiserid advertisingidentifier mobileadid mobileadvertisingid mobiledeviceid
      устройство устройства идустройства idустройства айдиустройства рекламныйид рекламныйid рекламныйидентификатор идентификаторустройства`,
    ).map((name) => [name, null]),
  ),
}

const PHONE_WORDS = new Set(
  words(
    `phone phones phonenumber phonenumbers phoneno phonenr telephone telephonenumber tel telno telnr mobile mobiles mobilephone mobilenumber mobileno mob mobno cell cells
    cellphone cellnumber cellular msisdn gsm handy handynummer telefon telefonnummer whatsapp viber sms contactno contactnumber
    телефон телефоны телефона телефонов тел моб мобильный мобильного мобильник сотовый сотового сот ватсап вацап вайбер мсисдн номертелефона`,
  ),
)
/** They name phone numbers unless another word says what they belong to. */
const WEAK_WORDS = new Set(words('number numbers num no nr nummer contact contacts номер номера ном контакт контакты связь'))
const OTHER_WORDS = new Set(
  words(
    `date dates day created updated modified time times timestamp ts datetime registered birthday birth dob amount amounts sum total price cost revenue
    order orders ord invoice receipt ticket transaction payment account acct card iban ip ipaddress zip zipcode postcode postal sku barcode ean upc gtin isbn lat lon lng latitude longitude coord coords coordinates series qty quantity count
    fax hash hashed md5 sha sha1 sha256 tin vat inn passport imei serial session
    дата день создан создано изменен изменено обновлен время рождения сумма суммы цена стоимость выручка итого баланс заказ заказа заказы чек счет счёт счета
    договор договора платеж платежа карта карты индекс инн кпп огрн снилс паспорт серия документ широта долгота координаты зак артикул штрихкод количество колво факс хеш хэш айпи сессия`,
  ),
)
const LONGEST = 200

/** Words of a name: camelCase, digits and marks part them. */
const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, LONGEST)
    .normalize('NFC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}+(?:(?<=md|sha)\d+)?/gu) ?? []

/** Meaning of a column name, in English or Russian. */
export function meaningOf(name: string): NameMeaning {
  const all = wordsOf(name)
  const joined = all.join('')
  const others = all.some((word) => OTHER_WORDS.has(word)) || OTHER_WORDS.has(joined)
  const device = [joined, ...all].find((word) => Object.hasOwn(DEVICE_NAMES, word))
  if (device !== undefined && !others) return { kind: 'device', device: DEVICE_NAMES[device] ?? null }
  const isPhone = all.some((word) => PHONE_WORDS.has(word)) || PHONE_WORDS.has(joined)
  if (others) return { kind: isPhone || device !== undefined ? 'none' : 'other' }
  if (isPhone) return { kind: 'phone' }
  return { kind: all.some((word) => WEAK_WORDS.has(word)) ? 'number' : 'none' }
}
