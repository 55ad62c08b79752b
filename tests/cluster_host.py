"""A real Ray cluster of several nodes on this machine, steered by lines on standard input.

Run as a script: prints the address, then obeys `add`, `remove` (a worker node, at once) and `head` (kills the head);
end of input ends it.
"""

from __future__ import annotations

import logging
import sys

import ray
from ray.cluster_utils import Cluster


def main() -> None:
    """Host the cluster until the input ends."""
    logging.getLogger("ray").setLevel(logging.ERROR)
    small = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=small)
    workers = [cluster.add_node(num_cpus=1, object_store_memory=80_000_000)]
    print(cluster.address, flush=True)
    for line in sys.stdin:
        match line.strip():
            case "add":
                workers.append(cluster.add_node(num_cpus=1, object_store_memory=80_000_000))
            case "remove":
                cluster.remove_node(workers.pop(0), allow_graceful=False)
            case "head":
                cluster.head_node.kill_all_processes(check_alive=False, allow_graceful=False)
        print("done", flush=True)
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main()
