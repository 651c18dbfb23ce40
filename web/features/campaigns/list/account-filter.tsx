import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MOST_SPACES } from '#contract/campaign-list'
import { ChipList } from '@/components/chip-list'
import { Picker } from '@/components/picker/picker'
import { campaignQueries } from '@/data/campaign-queries'
import { useDebounced } from '@/lib/use-debounced'

const SEARCH_MS = 300

type AccountFilterProps = {
  /** Ids of accounts; empty for every account. */
  readonly chosen: readonly string[]
  readonly onChoose: (ids: readonly string[]) => void
}

/** A search of the accounts in reach. The chosen ones are chips below the filters, each with a button that removes it. */
export function AccountFilter({ chosen, onChoose }: AccountFilterProps) {
  const { t } = useTranslation('campaigns')
  const [query, setQuery] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const asked = useDebounced(query.trim(), SEARCH_MS)
  const found = useQuery(campaignQueries.accountNames({ name: asked }))
  const named = useQuery({ ...campaignQueries.accountNames({ space_ids: chosen.toSorted() }), enabled: chosen.length > 0 })
  const names = new Map([...(named.data ?? []), ...(found.data ?? [])].map(({ space_id, space_name }) => [space_id, space_name]))
  return (
    <>
      <div className="w-48">
        <Picker
          ref={box}
          label={t('accountFilter.label')}
          options={(found.data ?? []).map(({ space_id: id, space_name: label }) => ({ id, label }))}
          chosen={new Set(chosen)}
          query={query}
          onQuery={setQuery}
          busy={found.isFetching}
          nothing={t('accountFilter.nothing')}
          onPick={(id) => {
            if (chosen.includes(id)) onChoose(chosen.filter((one) => one !== id))
            else if (chosen.length < MOST_SPACES) onChoose([...chosen, id])
          }}
        />
      </div>
      {chosen.length > 0 && (
        // Its own line, after every other filter.
        <div className="order-1 w-full">
          <ChipList
            label={t('accountFilter.chosen')}
            chips={chosen.map((id) => ({ id, label: names.get(id) ?? id }))}
            onRemove={(id) => onChoose(chosen.filter((one) => one !== id))}
            onEmpty={() => box.current?.focus()}
          />
        </div>
      )}
    </>
  )
}
