/** What people are told of the index besides its phase. */
export const notices = {
  rebuiltAfterDamage: 'The index was damaged. It has been set aside and is being built again from your files.',
  rebuilt: 'The index was damaged and has been built again from your files. The damaged one was set aside.',
  growingBeside: 'The index is being rebuilt. The earlier one answers until the new one is ready.',
  otherWindow: 'Another window keeps this index up to date; this one reads it and takes over when the other is closed.',
  followed: 'This index is only followed here; another window keeps it up to date.',
  remote: 'This index lies in remote storage: windows on this machine take turns in writing it; other machines must not write it at the same time.',
} as const;

const REFUSED = /\s*\d+ passages? .* refused by the embedding model.*$/;

/** The notice with what is to be said of passages that the embedding model refused, in place of what it said of them before. */
export function withRefusals(notice: string | undefined, refused: number): string | undefined {
  const others = notice?.replace(REFUSED, '');
  const told = `${refused} ${refused === 1 ? 'passage was' : 'passages were'} refused by the embedding model and can be found by words only. The index report names the files.`;
  return [...(others ? [others] : []), ...(refused > 0 ? [told] : [])].join(' ') || undefined;
}

/** What of a notice is still worth knowing when an update has ended. */
export function noticeAfterUpdate(notice: string | undefined, refused: number): string | undefined {
  switch (withRefusals(notice, 0)) {
    case notices.rebuiltAfterDamage: return withRefusals(notices.rebuilt, refused);
    case notices.remote: return withRefusals(notices.remote, refused);
    default: return withRefusals(undefined, refused);
  }
}
