import { TeamPeople } from './team-people.tsx'

/** The people of an account, on its page in the administration. */
export const AccountTeam = ({ spaceId }: { readonly spaceId: string }) => (
  <TeamPeople
    spaceId={spaceId}
    renderFrame={(invite, people) => (
      <div className="flex flex-col gap-4">
        {invite !== null && <div className="flex justify-end">{invite}</div>}
        {people}
      </div>
    )}
  />
)
