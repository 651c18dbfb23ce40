import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NativeSelect } from '../ui/native-select.tsx'
import { Button } from '../ui/button.tsx'
import { formatCount } from '@/i18n/format'

type PaginationProps = {
  /** Zero-based. */
  readonly page: number
  readonly rows: number
  readonly total: number
  readonly rowChoices: readonly number[]
  readonly backDisabled: boolean
  readonly nextDisabled: boolean
  readonly onPage: (page: number) => void
  readonly onRows: (rows: number) => void
}

export function Pagination({ page, rows, total, rowChoices, backDisabled, nextDisabled, onPage, onRows }: PaginationProps) {
  const { t } = useTranslation()
  const id = useId()
  const from = Math.min(total, page * rows + 1)
  const to = Math.min(total, (page + 1) * rows)
  return (
    <nav
      aria-label={t('paging.label')}
      className="text-[0.8125rem]/4.5 text-muted-foreground flex h-12 items-center justify-end gap-5 px-4"
    >
      {rowChoices.length > 1 && (
        <div className="flex items-center gap-2">
          <label htmlFor={id}>{t('paging.rows')}</label>
          <NativeSelect
            id={id}
            value={rows}
            onChange={(event) => onRows(Number(event.target.value))}
            className="text-[0.8125rem]/4.5 h-8 w-[68px] pl-2.5 tabular-nums"
          >
            {rowChoices.map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
          </NativeSelect>
        </div>
      )}
      <span className="tabular-nums">
        {t('paging.range', { from: formatCount(from), to: formatCount(to), total: formatCount(total) })}
      </span>
      <div className="flex gap-1">
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('paging.back')}
          disabled={backDisabled}
          onClick={() => onPage(page - 1)}
        >
          <ChevronLeft aria-hidden />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('paging.next')}
          disabled={nextDisabled}
          onClick={() => onPage(page + 1)}
        >
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </nav>
  )
}
