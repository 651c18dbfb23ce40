import { useTranslation } from 'react-i18next'
import { ChipList } from '@/components/chip-list'
import { Picker } from '@/components/picker/picker'
import { ToggleRow } from '@/components/form/toggle-row'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'
import { ListFailure } from '../list-failure.tsx'
import { useCategorySearch } from './use-category-search.ts'

/** Games can only be blocked, entirely or by category (decisions G-114). */
export function GamesSection() {
  const { t } = useTranslation('placement')
  const { value: noGames, set: setNoGames, ...noGamesField } = useSliceField('placement.noGames')
  const { value, set, ref, focus, disabled } = useSliceField('placement.games')
  const { nameOf, failure, ...search } = useCategorySearch('game')
  const off = disabled || noGames
  const toggle = (id: string) => set(value.includes(id) ? value.filter((known) => known !== id) : [...value, id])
  return (
    <FormSection title={t('games')}>
      <ToggleRow
        className="col-span-2"
        label={t('noGames')}
        help={t('noGamesHelp')}
        checked={noGames}
        {...noGamesField}
        onChange={setNoGames}
      />
      <ListFailure {...failure} focus={focus} />
      <div className="col-span-2 flex flex-col gap-3">
        <Picker
          label={t('searchGames')}
          {...search}
          chosen={new Set(value)}
          onPick={toggle}
          nothing={search.busy ? t('searching') : t('nothing')}
          disabled={off}
          ref={ref}
        />
        {noGames && <p className="text-muted-foreground text-xs -mt-1.5">{t('gamesOff')}</p>}
        <ChipList
          label={t('gameCategories')}
          chips={value.map((id) => ({ id, label: nameOf(id) }))}
          tone="bad"
          disabled={off}
          onRemove={toggle}
          onEmpty={focus}
        />
      </div>
    </FormSection>
  )
}
