// Names that are not taken yet: the wanted one, else the same with a number.

/** Goes on counting where it stopped: thousands may want the same name. */
export function freeNames(isTaken: (name: string) => boolean, longest: number): (wanted: string) => string {
  const timesWanted = new Map<string, number>();
  return (wanted) => {
    let times = (timesWanted.get(wanted) ?? 0) + 1;
    while (isTaken(numbered(wanted, times, longest))) times += 1;
    timesWanted.set(wanted, times);
    return numbered(wanted, times, longest);
  };
}

function numbered(wanted: string, times: number, longest: number): string {
  const ending = times === 1 ? '' : `_${times}`;
  return wanted.slice(0, longest - ending.length) + ending;
}
