import { useQuery } from '@tanstack/react-query'
import { Avatar, AvatarFallback, AvatarImage } from '@/components/ui/avatar'
import { accountQueries } from '@/data/account-queries'
import { cn } from '@/lib/utils'

type AccountPictureProps = { readonly name: string; readonly pictureId: string | null; readonly className?: string }

/** The picture of an account's owner, or the initials of its name. Decorative: the name stands beside it. */
export function AccountPicture({ name, pictureId, className }: AccountPictureProps) {
  const { data } = useQuery({ ...accountQueries.picture(pictureId ?? ''), enabled: pictureId !== null })
  return (
    <Avatar aria-hidden className={cn('size-7 rounded-md', className)}>
      {data !== undefined && <AvatarImage src={data} alt="" />}
      <AvatarFallback className="bg-primary-tint text-primary-ink rounded-md text-[0.6875rem] font-semibold">
        {initials(name)}
      </AvatarFallback>
    </Avatar>
  )
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.slice(0, 1))
    .join('')
    .toUpperCase()
