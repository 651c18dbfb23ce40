import { Columns3 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { usePopup } from '@/lib/use-popup'
import { Button } from '../ui/button.tsx'
import type { ChooserColumn } from './column-chooser-items.tsx'

const load = () => import('./column-chooser-items.tsx')
const ColumnChooserItems = lazy(async () => ({ default: (await load()).ColumnChooserItems }))

type ColumnChooserProps = {
  readonly columns: readonly ChooserColumn[]
  readonly onHidden: (hidden: readonly string[]) => void
}

/** A menu that shows and hides columns. */
export function ColumnChooser({ columns, onHidden }: ColumnChooserProps) {
  const { t } = useTranslation()
  const { shown, trigger, popup } = usePopup('menu', load)
  return (
    <span className="relative inline-flex">
      <Button variant="ghost" size="sm" {...trigger}>
        <Columns3 aria-hidden />
        {t('dataTable.columns')}
      </Button>
      {shown && (
        <Suspense>
          <ColumnChooserItems columns={columns} onHidden={onHidden} popup={popup} />
        </Suspense>
      )}
    </span>
  )
}
