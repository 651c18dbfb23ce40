import { Ellipsis } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '../../../../api/contract/campaign-list.ts'
import { Button } from '@/components/ui/button'
import { usePopup } from '@/lib/use-popup'
import type { useCampaignActions } from '../campaign-actions.ts'

const load = () => import('./campaign-row-menu-items.tsx')
const CampaignRowMenuItems = lazy(async () => ({ default: (await load()).CampaignRowMenuItems }))

type Act = { readonly mutate: (target: Pick<ListRow, 'id' | 'name'>) => void }
export type RowActions = { readonly [K in keyof ReturnType<typeof useCampaignActions>]: Act }

export type RowMenuProps = {
  readonly row: Pick<ListRow, 'id' | 'name' | 'status_key'>
  /** Null for readers who may change nothing. */
  readonly actions: RowActions | null
  readonly onReport: () => void
}

export function CampaignRowMenu(props: RowMenuProps) {
  const { t } = useTranslation('campaigns')
  const { shown, trigger, popup } = usePopup('menu', load)
  return (
    <span className="relative inline-flex">
      <Button data-focus="menu" variant="ghost" size="icon" aria-label={t('menu', { name: props.row.name })} {...trigger}>
        <Ellipsis aria-hidden />
      </Button>
      {shown && (
        <Suspense>
          <CampaignRowMenuItems {...props} popup={popup} />
        </Suspense>
      )}
    </span>
  )
}
