import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { campaignQueries } from '@/data/campaign-queries'
import { summaryOf } from '@/features/campaigns/form/tabs/frequency/schedule-summary'
import { useDayNames } from '@/features/campaigns/form/tabs/frequency/use-day-names'
import { useLanguage } from '@/i18n/use-language'
import { EVERY_HOUR, scheduleOf } from './hours-list.ts'
import { TargetingControls } from './targeting-controls.tsx'
import { EMPTY_TARGETING, targetingChange, type TargetingForm } from './targeting-form.ts'
import { listOf, targetingPlan, type TargetingPlan } from './targeting-plan.ts'
import { useCities, useContents } from './use-targeted.ts'
import { useValueNames } from './use-value-names.ts'

/** Values of a list that a row names. */
const MOST_NAMED = 6

/** A bulk edit of targeting: its controls, and the plan of each campaign. Loads contents and cities while `chosen`. */
export function useTargeting(
  ids: readonly string[],
  { chosen, disabled, onTouch }: { readonly chosen: boolean; readonly disabled: boolean; readonly onTouch: () => void },
) {
  const { t } = useTranslation('quickEdit')
  const [form, setForm] = useState<TargetingForm>(EMPTY_TARGETING)
  const contents = useContents(chosen ? ids : [])
  const codes = [...new Set([...contents.values()].flatMap(({ country }) => country ?? []))].toSorted((a, b) => (a < b ? -1 : 1))
  const cities = useCities(chosen && form.part === 'cities' ? codes : [])
  const { data: countries } = useQuery({ ...campaignQueries.countries(useLanguage()), enabled: chosen && codes.length > 1 })
  const country = form.country ?? codes[0] ?? null
  const nameOf = useValueNames(new Map([...cities.values()].flat().map(({ id, name }) => [id, name])))
  const days = useDayNames()
  const change = targetingChange(form, country)
  return {
    isEmpty: change === null,
    revisionOf: (id: string) => contents.get(id)?.revision ?? 0,
    planOf: (id: string): TargetingPlan | null => (change === null ? null : targetingPlan(contents.get(id) ?? null, change)),
    /** The values of the part that a campaign has, undefined until they are loaded. */
    nowOf: (id: string): readonly string[] | undefined => {
      const content = contents.get(id)
      return content === undefined ? undefined : listOf(content, form.part)
    },
    /** A list as a row shows it. */
    textOf: (list: readonly string[]): string => {
      const { part } = form
      if (list.length === 0) return t('all')
      if (part === 'hours') return list.length === EVERY_HOUR.length ? t('all') : summaryOf(scheduleOf(list), days.short)
      const names = list.slice(0, MOST_NAMED).map((value) => nameOf(part, value))
      return list.length > MOST_NAMED ? t('more', { list: names.join(', '), count: list.length - MOST_NAMED }) : names.join(', ')
    },
    controls: (
      <TargetingControls
        form={form}
        countries={codes.map((code) => ({ code, name: countries?.find(({ iso_code }) => iso_code === code)?.name ?? code }))}
        country={country}
        cities={country === null ? [] : cities.get(country)}
        disabled={disabled}
        onChange={(patch) => {
          setForm((before) => ({ ...before, ...patch }))
          onTouch()
        }}
      />
    ),
  }
}
export type Targeting = ReturnType<typeof useTargeting>
