import { CATALOGUE, type ErrorCode, type Fault, type FormTab } from '#domain/kit/errors'
import type { Fields } from '#domain/kit/fields'
import { isOwnerPath } from '../content/content.ts'
import { FREQUENCY } from '../content/fields/frequency.ts'
import { PLACEMENT } from '../content/fields/placement.ts'
import { TARGETING } from '../content/fields/targeting.ts'

/** Sentences of the specification for field faults (campaigns.md §5), by translation key. `{name}` is filled from `params`. */
export const SENTENCES = {
  required: 'Field is required.',
  creativeNameRequired: 'Creative Name is a required field',
  creativeNameLength: 'Names must be 75 characters or less',
  creativeNamePattern: 'Names can only contain letters, numbers, dashes, underscores no spaces',
  utm: 'Oops, we cannot proceed with the provided click link as it cannot contain utm parameters. Please remove these parameters and try again.',
  positiveBudget: 'Only positive numbers allowed.',
  positiveNumber: 'Only positive Numbers allowed',
  fundsShort: 'The account does not have this much',
  fundsTooLarge: 'The account cannot hold this much',
  decimals: 'At most {max} decimals are allowed',
  needCard: 'A card is needed',
  belowAmount: 'The limit should not be below the amount of one refill',
  moreThanDue: 'This is more than is still due',
  moreThanInvoiced: 'Credit notes cannot exceed the total of the invoice',
  paymentRepeated: 'A payment with this reference, amount and day is recorded already',
  periodTaken: 'Another invoice of the account covers days of this period',
  nothingToInvoice: 'There is nothing to invoice in this period',
  numeric: 'The field value needs to be a number. Make sure to enter a numeric value.',
  margin: 'Only positive integer numbers allowed, less than {max}',
  fixedCpmBeforeMargin: 'Fixed CPM should be removed before setting the Margin.',
  marginBeforeFixedCpm: 'Margin should be removed before setting the Fixed CPM.',
  maxBytes: 'Maximum {max} characters allowed!',
  maxLength: 'Maximum {max} characters allowed!',
  tooMany: 'At most {max} entries are allowed',
  alreadyInvited: 'This person is invited already',
  cannotBeInvited: 'This address cannot be invited',
  lastOwner: 'An owner must stay. Make another person the owner first',
  notAllowed: 'This value is not one of those allowed',
  outOfRange: 'The value should be between {min} and {max}',
  url: 'Please enter a valid URL',
  publicUrl: 'Enter a public web address, without a user name, backslash or hidden character',
  attributionTags: 'Attribution tags are a query, by itself or behind the product address',
  httpsUrl: 'Please enter a valid https URL',
  invalidDate: 'Invalid date format',
  startAfterEnd: 'Start date must be before end date',
  startInPast: 'Start date should be in future',
  endInPast: 'End date should be in future',
  startFixed: 'Start date not modifiable',
  budgetType: 'Wrong budget type',
  budgetBelowBid: 'Budget must be >= bid amount',
  budgetBelowCpx: 'Budget less than bid amount',
  baseBid: 'Bid must exceed a base bid',
  caps: 'Frequency cap values not valid',
  appFixed: 'App URL not modifiable',
  accountNameTaken: 'Another account has this name',
  nameTaken: 'Campaign name must be unique per space',
  countryFixed: 'The country of a campaign cannot be changed',
  countryUnknown: 'This country is not known',
  bannerSize: 'This banner size is not offered',
  imageSize: 'Please upload image with {width}x{height} dimensions',
  bannerDimensions: 'the banner dimensions should be {width}x{height}',
  companionBytes: 'A companion banner has at most 150k',
  imageBytes: 'Original image is too big, must be under 500000 bytes',
  imageSize250: 'The image should have 250x250 size.',
  notAnImage: 'The file is not a valid image',
  archiveBytes: 'A zip should be up to 10 MB',
  archiveNoIndex: 'The zip should have index.html at its root',
  archiveUnsafe: 'The zip cannot be used as a banner ({reason})',
  audioBytes: 'An audio file should be up to 20 MB',
  audioTooShort: "Oops! Your audio is too short. Please upload an MP3 file that's at least 15 seconds long.",
  audioTooLong: "Oops! Your audio is too long. Please upload an MP3 file that's at most 30 seconds long.",
  videoBytes: 'video should be up to 10 MB',
  invalidVideo: 'The file is not a valid MP4 or WebM video',
  invalidAudio: "Uh-oh! It seems like the file you uploaded isn't a valid MP3. Please upload a valid MP3 file.",
  whitelistBytes: 'File size should be less than 10MB',
  whitelistText: 'A whitelist is UTF-8 text, one domain or bundle id per line',
  fileName: 'A name must not hold NUL characters or broken surrogates',
  shownName: 'A name must not hold line breaks, control characters or signs that change the direction of text',
  whitelistTaken: 'A whitelist of this name is there already',
  targetUnknown: 'Target not found',
  appUnknown: 'App does not exist in the app store',
  orderedAges: 'The first age should not be above the second',
  squareLogo: 'The logo should be 1:1 (square)',
  videoSize: 'Invalid dimensions. Please upload a 480x360, 640x360 or 1920x800 video.',
  fileUnknown: 'Creatives not found',
  needBanner: 'At least one banner is needed',
  needTrack: 'At least one track is needed',
  needImage: 'At least one image is needed',
  needLogo: 'A logo is needed',
  needVideo: 'A video is needed',
  needFile: 'An uploaded file is needed',
  duplicateId: 'The same id is used twice',
  ipRange: 'An IP range is needed, such as 10.0.0.0/8 or 10.0.0.1-10.0.0.9',
} as const
export type SentenceKey = keyof typeof SENTENCES

/** The tab on which a path is edited. */
export function tabOf(path: string): FormTab {
  const top = path.split(/[.[]/, 1)[0] ?? ''
  if (top === 'traffic_targeting') return 'advancedBidding'
  if (isOwnerPath(path)) return 'administration'
  return TABS[top] ?? 'basicInfo'
}

const keysOn = (tab: FormTab, fields: Fields): Readonly<Record<string, FormTab>> =>
  Object.fromEntries(Object.keys(fields).map((key) => [key, tab]))

const TABS: Readonly<Record<string, FormTab>> = {
  ...keysOn('targeting', TARGETING),
  ...keysOn('frequency', FREQUENCY),
  ...keysOn('placement', PLACEMENT),
  dynamic_ad: 'dynamicAds',
  dynamic_ad_enabled: 'dynamicAds',
  native_ad: 'nativeAds',
  native_ad_enabled: 'nativeAds',
  video_ad: 'videoAds',
  video_ad_enabled: 'videoAds',
  audio_ads: 'tracks',
  audio_ad_enabled: 'tracks',
  visuals: 'bannerAds',
}

/** A fault on one field, with the sentence of its key, or the catalogue's where the code is specific enough. */
export function fault(path: string, code: ErrorCode, key: SentenceKey, params?: Fault['params']): Fault {
  const sentence: string = SENTENCES[key] ?? CATALOGUE[code].message
  const message = sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params?.[name] ?? ''))
  const base = { path, code, message, tab: tabOf(path), key }
  return params === undefined ? base : { ...base, params }
}
