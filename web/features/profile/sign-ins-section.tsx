import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadError } from '@/components/load-error'
import { Skeleton } from '@/components/ui/skeleton'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table'
import { formatMinute } from '@/i18n/format'
import { lookUp } from '@/i18n/look-up'
import { profileQueries } from './profile-queries.ts'
import { SettingsSection } from '@/components/settings-section'

/** The newest events about the security of the user's own account. */
export function SignInsSection() {
  const { t } = useTranslation('profile')
  const { data, error, refetch } = useQuery(profileQueries.signIns())
  return (
    <SettingsSection title={t('signIns.title')} text={t('signIns.text')}>
      {error !== null && <LoadError title={t('signIns.error')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-24 w-full" />}
      {data?.length === 0 && <p className="text-muted-foreground">{t('signIns.empty')}</p>}
      {data !== undefined && data.length > 0 && (
        <section aria-label={t('signIns.list')} {...{ tabIndex: 0 }} className="-mx-5 -my-5 max-h-96 overflow-auto">
          <Table>
            <TableHeader>
              <TableRow>
                <TableHead className="pl-5">{t('signIns.event')}</TableHead>
                <TableHead>{t('signIns.network')}</TableHead>
                <TableHead className="pr-5 text-right">{t('signIns.at')}</TableHead>
              </TableRow>
            </TableHeader>
            <TableBody>
              {data.map(({ at, type, network, count }, n) => (
                // oxlint-disable-next-line react/no-array-index-key -- events have no id of their own here, and keep their order
                <TableRow key={n}>
                  <TableCell className="pl-5">
                    {lookUp(`profile:signIns.type.${type}`) ?? type}
                    {count > 1 && <span className="text-muted-foreground"> × {count}</span>}
                  </TableCell>
                  <TableCell className="text-muted-foreground tabular-nums">{network ?? '–'}</TableCell>
                  <TableCell className="text-muted-foreground pr-5 text-right tabular-nums">{formatMinute(at)}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </section>
      )}
    </SettingsSection>
  )
}
