import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ChipList } from '@/components/chip-list'
import { Picker } from '@/components/picker/picker'
import { Button } from '@/components/ui/button'
import { referenceQueries } from '@/data/reference-queries'
import { formatCount } from '@/i18n/format'
import { useFieldError } from '@/features/campaigns/form/campaign-form-context'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { ListFailure } from '../list-failure.tsx'

/** Selects cities of the campaign's country. There are thousands, so the largest come first. */
export function CityField({ country }: { readonly country: string }) {
  const { t } = useTranslation('geography')
  const { value, set, ref, focus, disabled } = useSliceField('geography.cities')
  const error = useFieldError('geography.cities')
  const { data: cities = [], isPending, error: failure, refetch } = useQuery(referenceQueries.cities(country))
  const names = useMemo(() => new Map(cities.map(({ id, name }) => [id, name])), [cities])
  const options = useMemo(
    () => cities.map(({ id, name, population }) => ({ id, label: name, note: formatCount(population) })),
    [cities],
  )
  const clear = () => {
    set([])
    focus()
  }
  const toggle = (id: string) => set(value.includes(id) ? value.filter((known) => known !== id) : [...value, id])
  return (
    <div className="col-span-2 flex flex-col gap-3">
      <ListFailure error={failure} retry={refetch} focus={focus} />
      <Picker
        label={t('search')}
        options={options}
        chosen={new Set(value)}
        onPick={toggle}
        nothing={isPending ? t('loading') : t('nothing')}
        busy={isPending}
        disabled={disabled}
        ref={ref}
      />
      <p className="text-muted-foreground text-xs -mt-1.5">
        {cities.length === 0 ? t('listHelp') : t('listHelpCount', { count: cities.length, total: formatCount(cities.length) })}
      </p>
      {error !== undefined && (
        <p role="alert" className="text-destructive text-xs">
          {error}
        </p>
      )}
      {value.length === 0 ? (
        <p>{t('everywhere')}</p>
      ) : (
        <div className="flex items-start justify-between gap-4">
          <ChipList
            label={t('chosen')}
            chips={value.map((id) => ({ id, label: names.get(id) ?? id }))}
            disabled={disabled}
            onRemove={toggle}
            onEmpty={focus}
          />
          {!disabled && value.length > 1 && (
            <Button variant="ghost" size="sm" className="-my-0.5" onClick={clear}>
              {t('clear')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
