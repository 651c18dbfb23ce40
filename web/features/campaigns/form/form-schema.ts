import type { FieldPath } from 'react-hook-form'
import { z } from '#contract/zod'
import { isUrl } from '#domain/kit/validators'
import { isDay } from '@/lib/date-range'
import { amount } from './amount.ts'
import { sliceSchema } from './slices/slices.ts'

/** The form values: strings as typed, so that input is never lost. Messages are keys under `form:errors`. */

const CREATIVE_NAME_MAX = 75
const NAME_MAX = 300
const UTM = /[?&#]utm_(source|medium|campaign)\b/i

const isWebAddress = (text: string) => text === '' || isUrl(text)
const webAddress = z.string().check(z.trim(), z.maxLength(5000, 'long'), z.refine(isWebAddress, 'url'))

const day = z.string().check(z.refine((text) => text === '' || isDay(text), 'day'))

const creativeName = z
  .string()
  .check(
    z.minLength(1, 'creativeNameRequired'),
    z.maxLength(CREATIVE_NAME_MAX, 'creativeNameLong'),
    z.regex(/^[A-Za-z0-9._-]+$/, 'creativeNameChars'),
  )

const bannerValue = z.object({
  /** Null until it is stored. */
  id: z.nullable(z.string()),
  width: z.number(),
  height: z.number(),
  fileId: z.string(),
  url: z.nullable(z.string()),
  creativeName,
})
export type BannerValue = z.infer<typeof bannerValue>

export const campaignForm = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(NAME_MAX, 'nameLong')),
  country: z.string().check(z.minLength(1, 'required')),
  /** YYYY-MM-DD in the campaign's time zone; empty when not set. */
  startDate: day,
  endDate: day,
  budget: amount('budget'),
  productUrl: webAddress.check(z.refine((text) => !UTM.test(text), 'utm')),
  goal: z.string(),
  goalFields: z.object({
    conversionUrl: webAddress,
    customActionName: z.string().check(z.maxLength(5000, 'long')),
    appName: z.string().check(z.maxLength(5000, 'long')),
    appPlatform: z.string(),
    bundleId: z.string().check(z.maxLength(5000, 'long')),
    mmp: z.string(),
  }),
  banners: z.array(bannerValue),
  ...sliceSchema.shape,
})
export type CampaignFormValues = z.infer<typeof campaignForm>
export type CampaignField = FieldPath<CampaignFormValues>

export const ERROR_KEYS = [
  'required',
  'long',
  'nameLong',
  'url',
  'utm',
  'day',
  'budget',
  'creativeNameRequired',
  'creativeNameLong',
  'creativeNameChars',
] as const
export const isErrorKey = (key: string): key is (typeof ERROR_KEYS)[number] => ERROR_KEYS.some((known) => known === key)
