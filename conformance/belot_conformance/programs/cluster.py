"""Work shared among the machines of a Dask cluster, with results in order; needs the extra ``cluster``.

Shares are pure functions of rules and numbers, so that the answer is the same for any number of workers. A worker that
is lost takes its shares with it, and others do them again.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from socket import create_connection
from typing import Any, Final, TypeVar

from belot_spec.errors import BelotError

Share = TypeVar("Share")
Done = TypeVar("Done")

_WAITING_PER_CORE: Final = 3
# So often a share may be on a worker that is lost before the work is given up.
_MOST_LOSSES: Final = 10
_SECONDS_TO_CONNECT: Final = 15


class NoClusterError(BelotError):
    """No scheduler answers at an address."""


def on_cluster(address: str, work: Callable[[Share], Done], shares: Iterable[Share]) -> Generator[Done, None, None]:
    """Yield what ``work`` returns for each share, in order; shares may come without end.

    Whoever stops early (Ctrl-C, an error, ``close``) takes back what waits. Raises ``NoClusterError``.
    """
    from distributed import Client
    from distributed.comm import get_address_host_port

    try:
        # A client that finds nobody takes its time to end, and complains.
        with create_connection(get_address_host_port(address), _SECONDS_TO_CONNECT):
            pass
        client: Any = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoClusterError(f"--scheduler {address}: nothing answers there ({type(error).__name__})") from error
    coming = iter(shares)
    with client:
        most = _WAITING_PER_CORE * max(1, sum(client.ncores().values()))

        def submit(share: Share) -> Any:
            return client.submit(work, share, pure=False, retries=_MOST_LOSSES)

        waiting = deque(submit(share) for share in islice(coming, most))
        # What still waits when this ends is taken back as the client is closed.
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(submit(share) for share in islice(coming, 1))
